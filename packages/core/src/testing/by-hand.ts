import type { OfferedTurn } from "../fleet/offered.ts";
import type { Random } from "../numbers/random.ts";
import type { Outcome } from "../peer/learner.ts";
import { type Input, type Peer, step } from "../peer/peer.ts";
import type { WireLimits } from "../wire/frame.ts";

/** Drives peers as a network would: each by its own inputs, offers as bytes, nothing lent. */
export interface ByHand {
  /** May be replaced between two inputs (by a restored copy, say). */
  readonly peers: Peer[];
  readonly limits: WireLimits;
  /** The stream of choices, as a fleet forks it. */
  readonly choice?: Random;
  /** Called after every input that peer `index` took. */
  after?(index: number, input: Input): void;
}

export interface RoundByHand {
  readonly choices: number[];
  readonly outcomes: (Outcome | null)[];
  /** What was sent, by the outcome of each meeting: greeting only where the policy stops there. */
  readonly frames: Uint8Array[][];
}

/** One round: choose, reward, meet partners[i] through the wire, settle, close. */
export function roundByHand(host: ByHand, round: number, offered: OfferedTurn, partners: Int32Array): RoundByHand {
  const { peers } = host;
  const send = (index: number, input: Input) => {
    const effects = step(peers[index]!, input);
    host.after?.(index, input);
    return effects;
  };
  const draws = host.choice?.fork(round);
  const choices = peers.map((_, i) => {
    const effect = send(i, { kind: "choose", arms: offered.arms(i), random: draws?.fork(i) })[0]!;
    const arm = effect.kind === "chosen" ? effect.arm : -1;
    send(i, { kind: "reward", reward: offered.pay(i, arm) });
    return arm;
  });
  const { codec } = peers[0]!.config.policy;
  const outcomes = peers.map((): Outcome | null => null);
  const offers = codec === null ? [] : peers.map((peer) => peer.learner.copyOffer());
  // What each peer is sent by its partner.
  const frames = offers.map((to, i) => codec!.encode(offers[partners[i]!]!, to));
  if (codec !== null) {
    partners.forEach((j, i) => {
      if (i === j) return;
      const id = (k: number) => peers[k]!.config.id;
      const effect = send(i, { kind: "meet", partner: id(j), offer: codec.decode(frames[i]!, host.limits) })[0]!;
      if (effect.kind === "met") outcomes[i] = effect.outcome;
      if (outcomes[i] === "prune") send(j, { kind: "part", partner: id(i) });
    });
    peers.forEach((_, i) => {
      send(i, { kind: "settle" });
    });
  }
  peers.forEach((_, i) => {
    send(i, { kind: "close" });
  });
  return { choices, outcomes, frames };
}
