import { assert, ConfigError } from "../errors.ts";
import type { Outcome } from "./learner.ts";
import { type Peer, step } from "./peer.ts";

/**
 * The meetings of one round, of all peers at once: peer i meets partners[i], everyone reads everyone as before the round.
 *
 * The same as stepping each peer with copies of its partner's offer (tested so); without the copies, because the driver
 * of a simulation can lend one peer's arrays to another. Fills `outcomes[i]`, null
 * where i is alone, and tells `judged` of each meeting before anything is changed.
 */
export function meetAll(
  peers: readonly Peer[],
  partners: Int32Array,
  outcomes: (Outcome | null)[],
  judged: (peer: number, partner: number, outcome: Outcome) => void = () => {},
): void {
  checkPartners(partners, peers.length);
  for (let i = 0; i < peers.length; i++) {
    const j = partners[i]!;
    const outcome = i === j ? null : judge(peers[i]!, peers[j]!);
    outcomes[i] = outcome;
    if (outcome !== null) judged(i, j, outcome);
  }
  for (let i = 0; i < peers.length; i++) mixCycle(peers, partners, outcomes, i);
  for (let i = 0; i < peers.length; i++) {
    if (outcomes[i] === "mix") peers[i]!.learner.reconcile?.(peers[partners[i]!]!.config.id);
  }
  for (let i = 0; i < peers.length; i++) {
    if (outcomes[i] !== "prune") continue;
    part(peers[i]!, peers[partners[i]!]!);
  }
  for (let i = 0; i < peers.length; i++) settle(peers[i]!);
}

/**
 * One meeting, taking effect at once on both sides (asynchronous gossip), in the order of a network: where a message may
 * be repeated `a` asks `b`, then `b` asks `a`; where it counts once both read the other as it was.
 */
export function meetPair(a: Peer, b: Peer, judged: (outcome: Outcome) => void = () => {}): Outcome {
  const outcome = judge(a, b);
  assert(outcome === judge(b, a), "two peers judge one meeting alike");
  judged(outcome);
  if (outcome === "mix") {
    if (a.config.policy.delivery === "newest") {
      a.learner.mix(b.learner.offer());
      b.learner.mix(a.learner.offer());
    } else a.learner.mixBoth(b.learner);
    a.learner.reconcile?.(b.config.id);
    b.learner.reconcile?.(a.config.id);
  }
  if (outcome === "prune") part(a, b);
  settle(a);
  settle(b);
  return outcome;
}

function judge(peer: Peer, partner: Peer): Outcome {
  return peer.learner.judge(partner.config.id, partner.learner.offer(), peer.round);
}

function part(a: Peer, b: Peer): void {
  a.learner.part(b.config.id);
  b.learner.part(a.config.id);
}

const SETTLE = { kind: "settle" } as const;
const settle = (peer: Peer): void => {
  step(peer, SETTLE);
};

/**
 * Mixes along the cycle of the partner map that begins at `first`, if `first` is its smallest member. In a cycle
 * i → j → k → … → i each peer reads the next before that one is changed; only the last needs a copy, of the first.
 */
function mixCycle(
  peers: readonly Peer[],
  partners: Int32Array,
  outcomes: readonly (Outcome | null)[],
  first: number,
): void {
  const second = partners[first]!;
  if (second === first) return;
  if (partners[second] === first) {
    if (second > first) mixPairOf(peers, outcomes, first, second);
    return;
  }
  let last = first;
  for (let i = second; i !== first; i = partners[i]!) {
    if (i < first) return;
    last = i;
  }
  const kept = outcomes[last] === "mix" ? peers[first]!.learner.copyOffer() : null;
  for (let i = first; i !== last; i = partners[i]!) {
    if (outcomes[i] === "mix") peers[i]!.learner.mix(peers[partners[i]!]!.learner.offer());
  }
  if (kept !== null) peers[last]!.learner.mix(kept);
}

function mixPairOf(peers: readonly Peer[], outcomes: readonly (Outcome | null)[], a: number, b: number): void {
  assert(outcomes[a] === outcomes[b], "two peers judge one meeting alike");
  if (outcomes[a] === "mix") peers[a]!.learner.mixBoth(peers[b]!.learner);
}

/** Who was named already; grown when needed, so that checking a round's map allocates nothing. */
let named = new Uint8Array(0);

/** Throws unless `partners` is a permutation of 0 .. peers−1. */
export function checkPartners(partners: Int32Array, peers: number): void {
  if (partners.length !== peers) throw new ConfigError("partners", partners, `name ${peers} peers`);
  if (named.length < peers) named = new Uint8Array(peers);
  named.fill(0, 0, peers);
  for (let i = 0; i < peers; i++) {
    const j = partners[i]!;
    if (!(j >= 0 && j < peers)) throw new ConfigError(`partners[${i}]`, j, `lie from 0 to ${peers - 1}`);
    if (named[j] === 1) throw new ConfigError(`partners[${i}]`, j, "be named once: partners are a permutation");
    named[j] = 1;
  }
}
