import { dccb, initialPeer, type Peer, Random, step } from "@coterie/core";
import { type DccbOffer, Pairer, type Sharing } from "@coterie/core/internal";

const DIMENSION = 3;
const THETA = [0.8, 0.2, 0.1];

/** The share of honest pairs, all of one kind, that still share after a liar looked near to half of them and far to the rest. */
export function measureTwoFaced(sharing: Sharing, honest: number, rounds: number, seed: number): number {
  const policy = dccb({ sharing, delay: { rounds: 10 }, threshold: { kind: "practical", factor: 1 } });
  const peers = Array.from({ length: honest }, (_, i) =>
    initialPeer({ id: `${i}`, dimension: DIMENSION, policy, peers: honest + 1 }),
  );
  const random = Random.seeded(seed);
  const pairer = new Pairer(honest);
  const partners = new Int32Array(honest);
  for (let round = 1; round <= rounds; round++) {
    for (const peer of peers) observe(peer, random);
    pairer.matching(partners, random.fork(round));
    const offers = peers.map((peer) => peer.learner.copyOffer());
    peers.forEach((peer, i) => {
      const j = partners[i]!;
      if (i !== j) step(peer, { kind: "meet", partner: `${j}`, offer: offers[j]! });
    });
    // The liar has time for one peer a round, with a face for each.
    const victim = random.below(honest);
    step(peers[victim]!, { kind: "meet", partner: "liar", offer: faceFor(peers[victim]!, victim % 2 === 0) });
    for (const kind of ["settle", "close"] as const) for (const peer of peers) step(peer, { kind });
  }
  return sharingPairs(peers);
}

function observe(peer: Peer, random: Random): void {
  const arm = random.normals(new Float64Array(DIMENSION)).map((value) => value / 6);
  const reward = arm.reduce((sum, value, i) => sum + value * THETA[i]!, 0) + 0.05 * random.normal();
  step(peer, { kind: "observe", arm, reward });
}

/** What the victim itself would say, or the opposite of it with much behind it. */
function faceFor(victim: Peer, near: boolean): DccbOffer {
  const own = victim.learner.copyOffer() as DccbOffer;
  return near ? own : { ...own, estimate: own.estimate.map((value) => -3 * value - 1), count: 100_000 };
}

function sharingPairs(peers: readonly Peer[]): number {
  let [sharing, pairs] = [0, 0];
  peers.forEach((a, i) => {
    peers.forEach((b, j) => {
      if (j <= i) return;
      pairs += 1;
      if (a.learner.judge(b.config.id, b.learner.offer(), a.round) === "mix") sharing += 1;
    });
  });
  return sharing / pairs;
}
