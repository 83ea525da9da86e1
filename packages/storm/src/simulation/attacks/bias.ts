import { dcb, initialPeer, type Offer, type Peer, Random, step } from "@coterie/core";
import { type DcbOffer, Pairer } from "@coterie/core/internal";

export interface BiasSetting {
  readonly peers: number;
  readonly liars: number;
  /** The bound on how far one exchange moves a slot; none when left out. */
  readonly clip?: number;
  readonly seed: number;
}

export interface Bias {
  /** What the liars hold of a matured slot: 0 nothing, 1 all of it. */
  readonly liars: number;
  /** How far honest peers differ on it, as a share of what one observation weighs. */
  readonly spread: number;
}

/** Rounds until the first slots have matured, and some more of them to average over. */
const MORE = 20;

/**
 * Liars that pass every check: each says that its observations all paid 1 and never moves, while the honest, whose
 * observations paid 0, average towards it. Real peers with the paper's delay, in lockstep; the liar's offer is a real
 * peer's that nobody ever mixes into.
 */
export function measureBias({ peers: count, liars, clip, seed }: BiasSetting): Bias {
  const policy = dcb({ weight: "mean", ...(clip === undefined ? {} : { clip }) });
  const peers = Array.from({ length: count }, (_, i) =>
    initialPeer({ id: `${i}`, dimension: 1, policy, peers: count }),
  );
  const lies = (i: number): boolean => i < liars;
  const random = Random.seeded(seed);
  const pairer = new Pairer(count);
  const partners = new Int32Array(count);
  let matured = Number.POSITIVE_INFINITY;
  for (let round = 1; round < matured + MORE; round++) {
    peers.forEach((peer, i) => {
      step(peer, { kind: "observe", arm: Float64Array.of(1), reward: lies(i) ? 1 : 0 });
    });
    pairer.matching(partners, random.fork(round));
    meet(peers, partners, lies);
    for (const peer of peers) step(peer, { kind: "close" });
    if (matured === Number.POSITIVE_INFINITY && peers.at(-1)!.learner.view.evidence > 0) matured = round;
  }
  return share(peers.slice(liars));
}

function meet(peers: readonly Peer[], partners: Int32Array, lies: (i: number) => boolean): void {
  const offers: Offer[] = peers.map((peer) => peer.learner.copyOffer());
  peers.forEach((peer, i) => {
    const j = partners[i]!;
    if (i !== j && !lies(i)) step(peer, { kind: "meet", partner: peers[j]!.config.id, offer: offers[j] as DcbOffer });
    step(peer, { kind: "settle" });
  });
}

/** Moment over gram: honest observations paid 0, so all of it is the liars'. */
function share(honest: readonly Peer[]): Bias {
  const shares = honest.map(({ learner }) => learner.view.active[1]! / learner.view.active[0]!);
  const mean = shares.reduce((sum, value) => sum + value, 0) / shares.length;
  return { liars: mean, spread: Math.max(...shares) - Math.min(...shares) };
}
