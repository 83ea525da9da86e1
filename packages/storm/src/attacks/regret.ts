import { type Arms, createFleet, dccb, kindred, type Policy, Random, solo } from "@coterie/core";

const DIMENSION = 5;
const ARMS = 8;
const CLUSTERS = 4;

/** What liars say that they were paid: the opposite of the truth, anything, or something a little off. */
export type Lie = "opposite" | "anything" | "tilted";

export interface RegretSetting {
  readonly policy: Policy;
  readonly peers: number;
  /** The share of peers that lie. */
  readonly liars: number;
  readonly lie: Lie;
  readonly rounds: number;
  readonly seed: number;
}

/** The regret of the honest peers, summed. Arms, rewards and partners are the same for every policy of a seed. */
export function measureRegret({ policy, peers, liars, lie, rounds, seed }: RegretSetting): number {
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
      if (!honest(peer)) continue;
      const best = Math.max(...Array.from({ length: ARMS }, (_, arm) => mean(peer, arm)));
      regret += best - mean(peer, fleet.choices[peer]!);
    }
  }
  return regret;
}

export const ATTACKED: readonly (readonly [string, Policy])[] = [
  ["alone", solo()],
  ["kindred", kindred()],
  ["dccb", dccb({ sharing: "mutual" })],
  ["dccb, guarded", dccb({ sharing: "mutual", bridge: true, weight: "mean", clip: 2 })],
];

interface Drawn {
  readonly arms: Arms;
  readonly noise: Float64Array;
}

function draw(random: Random): Drawn {
  const values = new Float64Array(ARMS * DIMENSION);
  for (let arm = 0; arm < ARMS; arm++) values.set(unit(random), arm * DIMENSION);
  return { arms: { count: ARMS, values }, noise: random.normals(new Float64Array(ARMS)).map((value) => 0.3 * value) };
}

function unit(random: Random): Float64Array {
  const out = random.normals(new Float64Array(DIMENSION));
  const length = Math.sqrt(out.reduce((sum, value) => sum + value * value, 0)) * 1.000001;
  return out.map((value) => value / length);
}

function dot(theta: Float64Array, { values }: Arms, arm: number): number {
  let sum = 0;
  for (let i = 0; i < DIMENSION; i++) sum += theta[i]! * values[arm * DIMENSION + i]!;
  return sum;
}
