import { type Arms, checkArms } from "../bandit/arms.ts";
import { checkReward } from "../bandit/reward.ts";
import { ConfigError } from "../errors.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Random } from "../numbers/random.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import { text, whole } from "../options.ts";
import { allOf, type Work } from "../work.ts";
import { armChosen, type Effects, NOTHING, OUTCOME } from "./effects.ts";
import { checkHeritage, MOST_RENEWED } from "./heritage.ts";
import type { Heritage, Learner, Offer, Policy } from "./learner.ts";

/** What a peer is made from. */
export interface PeerConfig {
  readonly id: PeerId;
  readonly dimension: number;
  readonly policy: Policy;
  /** Peers of the network at the start, this one included. */
  readonly peers: number;
}

/** Everything that can happen to a peer. Whatever affects its state comes in here. */
export type Input =
  /** Arms are offered; the choice waits for its reward. `random` where the policy draws (random, thompson). */
  | { readonly kind: "choose"; readonly arms: Arms; readonly random?: Random | undefined }
  /** The chosen arm was paid. */
  | { readonly kind: "reward"; readonly reward: number }
  /** An arm that somebody else chose, or one chosen long ago, was paid. */
  | { readonly kind: "observe"; readonly arm: Float64Array; readonly reward: number }
  /** The round's partner, and what it lets us read. */
  | { readonly kind: "meet"; readonly partner: PeerId; readonly offer: Offer }
  /** A partner parted from us. */
  | { readonly kind: "part"; readonly partner: PeerId }
  /** The round's meetings are over. */
  | { readonly kind: "settle" }
  /** The round is over. */
  | { readonly kind: "close" }
  /** My taste has changed: start anew. Only for policies that can; kindred finds changes by itself, too. */
  | { readonly kind: "change" }
  /** What was published up to this version may be lost here, and not elsewhere: publish above it from now on. */
  | { readonly kind: "renew"; readonly version: number }
  /** What this peer had seen, as far as others still know it, and what it has seen since. */
  | { readonly kind: "regain"; readonly heritage: Heritage }
  /** Others are further: go on in their round. */
  | { readonly kind: "catch-up"; readonly round: number }
  | { readonly kind: "join"; readonly partner: PeerId }
  | { readonly kind: "leave"; readonly partner: PeerId }
  /** So many are there, this peer included, whoever they are. */
  | { readonly kind: "resize"; readonly peers: number }
  /** Nothing about a peer need be kept any more, whether it is there or not. */
  | { readonly kind: "forget"; readonly partner: PeerId };

/** A peer's state. Made by `initialPeer` or `restore`, changed by `step` alone, or by `begin` and `work`. */
export interface Peer {
  readonly config: PeerConfig;
  /** Done with all inputs so far: whoever asks for it has what `begin` left undone done first. */
  readonly learner: Learner;
  /** The round under way, from 1. */
  round: number;
  peers: number;
  /** The arm that waits for its reward, if `waiting`. */
  readonly chosen: Float64Array;
  waiting: boolean;
  /** Meetings since the last `settle`: a round cannot close in the middle of them. */
  settled: boolean;
}

/** A new peer, in round 1, that has seen nothing. */
export function initialPeer(config: PeerConfig): Peer {
  text("id", config.id);
  whole("dimension", config.dimension, 1, 4096);
  whole("peers", config.peers, 1);
  return new PeerState(config);
}

class PeerState implements Peer {
  round = 1;
  peers: number;
  readonly chosen: Float64Array;
  waiting = false;
  settled = true;
  readonly #learner: Learner;
  /** What is left of the last input; null where nothing is. */
  #left: Work | null = null;

  constructor(readonly config: PeerConfig) {
    const { policy, dimension, peers, id } = config;
    this.#learner = policy.create(dimension, peers, id);
    this.peers = peers;
    this.chosen = sharedNumbers(dimension);
  }

  get learner(): Learner {
    const left = this.#take();
    if (left !== null) allOf(left);
    return this.#learner;
  }

  /** Does the first of these pieces, and leaves the others. */
  begin(pieces: Work): void {
    this.#left = pieces;
    this.work();
  }

  work(): boolean {
    const left = this.#take();
    if (left?.next().done === false) this.#left = left;
    return this.#left !== null;
  }

  /** While it is worked on nothing is left: what fails is not tried again. */
  #take(): Work | null {
    const left = this.#left;
    this.#left = null;
    return left;
  }
}

/**
 * Moves a peer by one input. Checks the input first and throws a ConfigError (the caller's fault) or a
 * ProtocolViolation (the partner's) with the state unchanged; then changes the state in place and says what happened.
 */
export function step(peer: Peer, input: Input): Effects {
  switch (input.kind) {
    case "choose":
      return armChosen(chooseArm(peer, input.arms, input.random));
    case "reward":
      return reward(peer, input.reward);
    case "observe":
      return observe(peer, input.arm, input.reward);
    case "meet":
      return meet(peer, input.partner, input.offer);
    case "part":
      other(peer, input.partner);
      peer.learner.part(input.partner);
      peer.settled = false;
      return NOTHING;
    case "settle":
      peer.learner.settle();
      peer.settled = true;
      return NOTHING;
    case "close":
      return close(peer);
    case "change":
      return change(peer);
    case "renew":
      peer.learner.renew?.(whole("version", input.version, 0, MOST_RENEWED));
      return NOTHING;
    case "regain":
      peer.learner.inherit?.(checkHeritage(input.heritage, peer.config.dimension));
      return NOTHING;
    case "catch-up":
      return catchUp(peer, input.round);
    case "join":
      other(peer, input.partner);
      return resize(peer, peer.peers + 1);
    case "leave":
      other(peer, input.partner);
      if (peer.peers < 2) throw new ConfigError("peers", peer.peers, "be at least 2 for one to leave");
      peer.learner.forget(input.partner);
      return resize(peer, peer.peers - 1);
    case "resize":
      return resize(peer, whole("peers", input.peers, 1));
    case "forget":
      other(peer, input.partner);
      peer.learner.forget(input.partner);
      return NOTHING;
    default:
      throw new ConfigError("input.kind", (input as { kind: unknown }).kind, "be a known input");
  }
}

/**
 * Like `step`, but where an observation or the end of a round takes long it does a part of that and leaves the others to `work`. What
 * comes next has them done first, so nobody finds a peer in between, and decisions are those of `step`.
 */
export function begin(peer: Peer, input: Input): Effects {
  const { learner } = peer;
  if (!(peer instanceof PeerState) || learner.closing === undefined || learner.observing === undefined)
    return step(peer, input);
  switch (input.kind) {
    case "observe":
      checkObserved(peer, input.arm, input.reward);
      peer.begin(learner.observing(input.arm, 0, input.reward));
      return NOTHING;
    case "close":
      checkCloses(peer);
      peer.begin(learner.closing(peer.round));
      peer.round += 1;
      return NOTHING;
    default:
      return step(peer, input);
  }
}

/** Does another part of what `begin` left. Whether there is more. */
export const work = (peer: Peer): boolean => peer instanceof PeerState && peer.work();

/** The scores by which the peer would choose, see `Learner.score`; null where its policy has none. Changes nothing. */
export function scoreArms(peer: Peer, arms: Arms, random?: Random): Float64Array | null {
  const { learner, round, config } = peer;
  checkArms(arms, config.dimension);
  if (learner.score === undefined) return null;
  const scores = new Float64Array(arms.count);
  learner.score(arms, round, random, scores);
  return scores;
}

/** The arm that the peer picks, as the input `choose` has it. */
export function chooseArm(peer: Peer, arms: Arms, random?: Random): number {
  const { dimension } = peer.config;
  checkArms(arms, dimension);
  const arm = peer.learner.choose(arms, peer.round, random);
  const from = arm * dimension;
  for (let i = 0; i < dimension; i++) peer.chosen[i] = arms.values[from + i]!;
  peer.waiting = true;
  return arm;
}

function checkObserved(peer: Peer, arm: Float64Array, value: number): void {
  checkArms({ count: 1, values: arm }, peer.config.dimension, "observed arm");
  checkReward("reward", value);
}

function checkCloses(peer: Peer): void {
  if (!peer.settled) throw new ConfigError("close", "meetings under way", "come after settle");
}

function reward(peer: Peer, value: number): Effects {
  checkReward("reward", value);
  if (!peer.waiting) throw new ConfigError("reward", value, "follow a choice that is still pending");
  peer.learner.observe(peer.chosen, 0, value);
  peer.waiting = false;
  return NOTHING;
}

function observe(peer: Peer, arm: Float64Array, value: number): Effects {
  checkObserved(peer, arm, value);
  peer.learner.observe(arm, 0, value);
  return NOTHING;
}

function meet(peer: Peer, partner: PeerId, offer: Offer): Effects {
  other(peer, partner);
  const outcome = peer.learner.judge(partner, offer, peer.round);
  if (outcome === "mix") {
    peer.learner.mix(offer);
    peer.learner.reconcile?.(partner);
  }
  if (outcome === "prune") peer.learner.part(partner);
  peer.settled = false;
  return OUTCOME[outcome];
}

function change({ config, learner }: Peer): Effects {
  if (learner.change === undefined) {
    throw new ConfigError("change", config.policy.kind, "be used with a policy that can restart: kindred");
  }
  learner.change();
  return NOTHING;
}

function close(peer: Peer): Effects {
  checkCloses(peer);
  peer.learner.close(peer.round);
  peer.round += 1;
  return NOTHING;
}

function catchUp(peer: Peer, round: number): Effects {
  whole("round", round, peer.round + 1, 0xffffffff);
  if (!peer.settled) throw new ConfigError("catch-up", "meetings under way", "come after settle");
  peer.learner.catchUp(round);
  peer.round = round;
  return NOTHING;
}

function resize(peer: Peer, peers: number): Effects {
  peer.peers = peers;
  peer.learner.resize(peers);
  return NOTHING;
}

function other(peer: Peer, partner: PeerId): void {
  if (text("partner", partner) === peer.config.id) throw new ConfigError("partner", partner, "be another peer");
}
