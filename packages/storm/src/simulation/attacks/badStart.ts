import { dccb, type Policy, Random, solo } from "@coterie/core";
import { PeerFleet } from "@coterie/core/internal";
import { ARMS, DIMENSION, dot, draw, unit } from "./arms.ts";

/** Rounds in which half of the peers are paid the opposite of what their items are worth: a faulty sensor, a test run. */
const BAD_ROUNDS = 15;
const CLUSTERS = 2;

export interface BadStart {
  /** The share of pairs of one kind that are still in each other's neighbourhood. */
  readonly sharing: number;
  /** Regret in the second half of the rounds, over that of peers alone. */
  readonly regret: number;
}

/** dccb parts those who had a bad start from their own kind, for good unless a prune can be undone. */
export function measureBadStart(forgive: number | undefined, peers: number, rounds: number, seed: number): BadStart {
  const policy = dccb({
    sharing: "mutual",
    guard: true,
    bridge: true,
    threshold: { kind: "practical", factor: 1 },
    ...(forgive === undefined ? {} : { forgive }),
  });
  const shared = play(policy, peers, rounds, seed);
  return { sharing: shared.sharing, regret: shared.regret / play(solo(), peers, rounds, seed).regret };
}

function play(policy: Policy, peers: number, rounds: number, seed: number): BadStart {
  const root = Random.seeded(seed);
  const thetas = Array.from({ length: CLUSTERS }, (_, k) => unit(root.fork("theta").fork(k)));
  const fleet = new PeerFleet({ policy, dimension: DIMENSION, peers, random: root.fork("fleet") }, policy);
  let regret = 0;
  for (let round = 1; round <= rounds; round++) {
    const drawn = Array.from({ length: peers }, (_, peer) => draw(root.fork("round").fork(round).fork(peer)));
    const mean = (peer: number, arm: number): number => dot(thetas[peer % CLUSTERS]!, drawn[peer]!.arms, arm);
    const sign = (peer: number): number => (round <= BAD_ROUNDS && peer % 4 >= 2 ? -1 : 1);
    fleet.round({
      arms: (peer) => drawn[peer]!.arms,
      pay: (peer, arm) => sign(peer) * mean(peer, arm) + drawn[peer]!.noise[arm]!,
    });
    if (2 * round <= rounds) continue;
    for (let peer = 0; peer < peers; peer++) {
      const best = Math.max(...Array.from({ length: ARMS }, (_, arm) => mean(peer, arm)));
      regret += best - mean(peer, fleet.choices[peer]!);
    }
  }
  const parted = (a: number, b: number): boolean => fleet.members[a]!.learner.view.pruned.has(`${b}`);
  return { sharing: sharing(peers, parted), regret };
}

function sharing(peers: number, parted: (a: number, b: number) => boolean): number {
  let [together, pairs] = [0, 0];
  for (let a = 0; a < peers; a++) {
    for (let b = a + CLUSTERS; b < peers; b += CLUSTERS) {
      pairs += 1;
      if (!parted(a, b) && !parted(b, a)) together += 1;
    }
  }
  return together / pairs;
}
