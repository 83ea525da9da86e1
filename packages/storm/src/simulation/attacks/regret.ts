import { type Arms, createFleet, dccb, kindred, type Policy, Random, solo, step } from "@coterie/core";
import { PeerFleet } from "@coterie/core/internal";
import { ARMS, DIMENSION, dot, draw, unit } from "./arms.ts";

const CLUSTERS = 4;

/** What liars say that they were paid: the opposite of the truth, anything, or something a little off. */
export type Lie = "opposite" | "anything" | "tilted";

export interface RegretSetting {
  readonly policy: Policy;
  readonly peers: number;
  /** The share of peers that lie. */
  readonly liars: number;
  readonly lie: Lie;
  /** How many observations a liar claims a round, all alike; one when left out. */
  readonly claims?: number;
  readonly rounds: number;
  readonly seed: number;
}

/** The regret of the honest peers, summed. Arms, rewards and partners are the same for every policy of a seed. */
export function measureRegret({ policy, peers, liars, lie, claims = 1, rounds, seed }: RegretSetting): number {
  const root = Random.seeded(seed);
  const thetas = Array.from({ length: CLUSTERS }, (_, k) => unit(root.fork("theta").fork(k)));
  const tilt = unit(root.fork("tilt"));
  const fleet = createFleet({ policy, dimension: DIMENSION, peers, random: root.fork("fleet") });
  const honest = (peer: number): boolean => peer >= Math.round(liars * peers);
  let regret = 0;
  for (let round = 1; round <= rounds; round++) {
    const drawn = Array.from({ length: peers }, (_, peer) => draw(root.fork("round").fork(round).fork(peer)));
    const mean = (peer: number, arm: number): number => dot(thetas[peer % CLUSTERS]!, drawn[peer]!.arms, arm);
    fleet.round({
      arms: (peer) => drawn[peer]!.arms,
      pay: (peer, arm) => {
        const { noise, arms } = drawn[peer]!;
        if (honest(peer)) return mean(peer, arm) + noise[arm]!;
        if (lie === "opposite") return -mean(peer, arm);
        return lie === "anything" ? 4 * noise[arm]! : mean(peer, arm) + 0.5 * dot(tilt, arms, arm);
      },
    });
    for (let peer = 0; peer < peers; peer++) {
      if (!honest(peer)) {
        boast(fleet, peer, drawn[peer]!.arms, claims - 1);
        continue;
      }
      const best = Math.max(...Array.from({ length: ARMS }, (_, arm) => mean(peer, arm)));
      regret += best - mean(peer, fleet.choices[peer]!);
    }
  }
  return regret;
}

/** The last choice and its reward once more, as often as is claimed: what a peer holds then is still possible. */
function boast(fleet: ReturnType<typeof createFleet>, peer: number, { values }: Arms, times: number): void {
  if (!(fleet instanceof PeerFleet)) return;
  const at = fleet.choices[peer]! * DIMENSION;
  const arm = values.slice(at, at + DIMENSION);
  for (let k = 0; k < times; k++) step(fleet.members[peer]!, { kind: "observe", arm, reward: fleet.rewards[peer]! });
}

export const ATTACKED: readonly (readonly [string, Policy])[] = [
  ["alone", solo()],
  ["kindred", kindred()],
  ["kindred, wary", kindred({ wary: true })],
  ["dccb", dccb({ sharing: "mutual" })],
  ["dccb, guard", dccb({ sharing: "mutual", guard: true })],
  ["dccb, guard, bridge, clip 2", dccb({ sharing: "mutual", guard: true, bridge: true, clip: 2 })],
];
