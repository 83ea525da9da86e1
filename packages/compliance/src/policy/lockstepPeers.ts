import {
  initialPeer,
  type Offer,
  type Peer,
  type Policy,
  ProtocolViolation,
  Random,
  step,
  type WireLimits,
  Writer,
} from "@coterie/core";
import { Pairer } from "@coterie/core/internal";

/** A few peers of one policy, in a world of two tastes, moved step by step. */

export const DIMENSION = 3;
export const PEERS = 4;
const ARMS = 5;
export const LIMITS: WireLimits = { dimension: DIMENSION, most: 200, reward: 2 };

/** How a partner's offer reaches its reader. */
export type Via = (offer: Offer, reader: Peer) => Offer;

export const lent: Via = (offer) => offer;

/** As bytes, with nothing lost: 8 bytes a number. */
export const overWire: Via = (offer, { config, learner }) => {
  const codec = codecOf(config.policy);
  return codec.decode(codec.encode(offer, learner.offer()), LIMITS);
};

export function codecOf({ kind, codec }: Policy): NonNullable<Policy["codec"]> {
  if (codec === null) throw new Error(`${kind} has no codec, and its peers meet nobody`);
  return codec;
}

export const newPeer = (policy: Policy, id: string): Peer =>
  initialPeer({ id, dimension: DIMENSION, policy, peers: PEERS });

/** The arms that peer `i` is offered in a round, all within the unit ball. */
export function armsOf(seed: number, round: number, i: number): { count: number; values: Float64Array } {
  const random = Random.seeded(seed).fork("arms").fork(round).fork(i);
  const values = Float64Array.from({ length: ARMS * DIMENSION }, () => (2 * random.uniform() - 1) / DIMENSION);
  return { count: ARMS, values };
}

/** Peers of even and of odd index like opposite things; |reward| is at most 2. */
export function rewardOf(seed: number, round: number, i: number, arm: Float64Array): number {
  const noise = Random.seeded(seed).fork("noise").fork(round).fork(i).uniform() - 0.5;
  return (i % 2 === 0 ? 1 : -1) * (arm[0]! + 0.5 * arm[1]!) + noise;
}

export class LockstepPeers {
  readonly peers: Peer[];
  round = 0;

  constructor(
    readonly policy: Policy,
    readonly seed = 1,
    readonly via: Via = lent,
  ) {
    this.peers = Array.from({ length: PEERS }, (_, i) => newPeer(policy, `${i}`));
  }

  /** One round of everybody; says what each chose. */
  play(): number[] {
    this.round += 1;
    const chosen = this.peers.map((_, i) => this.serve(i));
    if (this.policy.pairing !== "none") this.meet();
    for (const peer of this.peers) step(peer, { kind: "close" });
    return chosen;
  }

  playOn(rounds: number): number[][] {
    return Array.from({ length: rounds }, () => this.play());
  }

  serve(i: number): number {
    const arms = armsOf(this.seed, this.round, i);
    const random = Random.seeded(this.seed).fork("choice").fork(this.round).fork(i);
    const effect = step(this.peers[i]!, { kind: "choose", arms, random })[0];
    if (effect?.kind !== "chosen") throw new Error(`a choice came to ${effect?.kind}`);
    const arm = arms.values.subarray(effect.arm * DIMENSION, (effect.arm + 1) * DIMENSION);
    step(this.peers[i]!, { kind: "reward", reward: rewardOf(this.seed, this.round, i, arm) });
    return effect.arm;
  }

  /** Everybody reads its partner as it was before the meetings; whoever is parted from parts too. */
  meet(): void {
    const partners = this.partners();
    const offers = this.peers.map(({ learner }) => learner.copyOffer());
    this.peers.forEach((peer, i) => {
      const j = partners[i]!;
      if (j === i) return;
      const effect = step(peer, { kind: "meet", partner: `${j}`, offer: this.via(offers[j]!, peer) })[0];
      if (effect?.kind !== "met") throw new Error(`a meeting came to ${effect?.kind}`);
      if (effect.outcome === "prune") step(this.peers[j]!, { kind: "part", partner: `${i}` });
    });
    for (const peer of this.peers) step(peer, { kind: "settle" });
  }

  partners(): Int32Array {
    if (this.policy.pairing === "ring") return Int32Array.from(this.peers, (_, i) => (i + PEERS - 1) % PEERS);
    const partners = new Int32Array(PEERS);
    new Pairer(PEERS).matching(partners, Random.seeded(this.seed).fork("pairs").fork(this.round));
    return partners;
  }
}

/** Everything a learner's future depends on. */
export function stateOf({ learner }: Peer): Uint8Array {
  const out = new Writer();
  learner.write(out);
  return out.bytes();
}

/** Whatever it is given, a policy may only complain of its partner, with a type that says so. */
export function violates(deed: () => unknown): boolean {
  try {
    deed();
    return false;
  } catch (error) {
    if (error instanceof ProtocolViolation) return true;
    throw error;
  }
}
