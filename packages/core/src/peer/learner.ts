import type { Arms } from "../bandit/arms.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Pairing } from "../gossip/pairing.ts";
import type { PeerRecord } from "../kindred/record.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import type { WireLimits } from "../wire/frame.ts";
import type { Work } from "../work.ts";

/**
 * What came of a meeting.
 * mix: took in the partner's statistics. prune: too far apart, both part. keep: no sharing this time, nothing changes.
 * stranger: the partner is outside the neighbourhood, nothing happens.
 */
export type Outcome = "mix" | "prune" | "keep" | "stranger";

/** What a peer lets a partner read. Lent by a driver in lockstep, decoded from a frame on a network; never changed. */
export interface Offer {
  readonly policy: string;
}

/**
 * What a policy does inside one peer. A learner owns its state and knows no clock, no IO and no randomness but what is
 * handed to it. All calls of a round read partners as they were before the round: prunes take effect in `settle`, the
 * round's own observations in `close`.
 */
export interface Learner {
  /** Picks an arm. Changes nothing. */
  choose(arms: Arms, round: number, random: Random | undefined): number;
  /**
   * out[k] = the score of arm k: `choose` would pick the first of the highest, with the same draws. Changes nothing. One
   * draw ranks all arms where the policy draws. Absent where choices do not go by scores.
   */
  score?(arms: Arms, round: number, random: Random | undefined, out: Float64Array): void;
  /** Takes in an observation: x = vectors[from .. from+d) paid `reward`. */
  observe(vectors: Float64Array, from: number, reward: number): void;
  /** What a partner may read. */
  offer(): Offer;
  /** The same, as it is now: a copy that later steps do not change. */
  copyOffer(): Offer;
  /** What a meeting would come to. Changes nothing; throws a ProtocolViolation if the offer does not fit. */
  judge(partner: PeerId, offer: Offer, round: number): Outcome;
  /** Takes in an offer that was judged "mix". */
  mix(offer: Offer): void;
  /** `mix` on both sides at once, each with the other as it was; `other` has the same policy. */
  mixBoth(other: Learner): void;
  /** A meeting with `partner` came to a mix, on both sides; for policies that take back a prune then. */
  reconcile?(partner: PeerId): void;
  /** Notes that this peer and `partner` part; takes effect in `settle`. */
  part(partner: PeerId): void;
  /** The meetings are over: prunes take effect. */
  settle(): void;
  /** The round is over: its observations join what is shared, and what is due is promoted. */
  close(round: number): void;
  /**
   * `observe` and `close` in pieces, for hosts that have other things to do meanwhile; those two do all pieces at once. Nothing else is asked of the learner before the
   * last one is done. Absent where neither ever takes long.
   */
  observing?(vectors: Float64Array, from: number, reward: number): Work;
  closing?(round: number): Work;
  /** Time has gone on without this peer: it goes on in `round`. */
  catchUp(round: number): void;
  /** Peers of the network, this one included, as far as this peer knows. */
  resize(peers: number): void;
  /** A peer has left for good: nothing about it need be kept. */
  forget(partner: PeerId): void;
  /** The peer's own taste has changed: what it has seen says nothing of it any more. Absent where that cannot be taken back. */
  change?(): void;
  /** What outlives any change of `Policy.layout`, of its options and of features; absent where all must be kept or nothing can be. */
  heritage?(): Heritage;
  /**
   * Goes on from this heritage in place of its own observations so far: of a learner that wrote another layout or had other
   * features, or what others still hold of one that was lost. Publishes above its version.
   */
  inherit?(heritage: Heritage): void;
  /**
   * Publishes above `version` from now on: others may hold what was published up to there, and this peer may have lost
   * it. Absent where nothing is published.
   */
  renew?(version: number): void;
  /** Whether to ask partners for this peer's own last record, because observations of its own are lost here. */
  recall?(lost: boolean): void;
  /**
   * Whom it would like to meet next; null, or absent: anybody. Changes nothing. With `isThere`, one of those for whom it
   * holds: on a network most of those that a peer has heard of have gone.
   */
  suggest?(random: Random, isThere?: (peer: PeerId) => boolean): PeerId | null;
  /** Is `partner` in the neighbourhood? */
  near(partner: PeerId): boolean;
  /** Everything the future depends on, bit for bit. */
  write(out: Writer): void;
  read(from: Reader): void;
  readonly view: LearnerView;
}

/** What a peer has seen itself, and how often it has published: all that cannot be had again from others. */
export interface Heritage {
  /** Σ x xᵀ (packed) and Σ r x: d(d+1)/2 + d numbers. */
  readonly slot: Float64Array;
  /** Σ r²; 0 from a learner that has no use for it. */
  readonly squares: number;
  readonly count: number;
  /** How often it had started anew. */
  readonly era: number;
  /** Of the last record that it published; 0 where there was none. */
  readonly version: number;
}

/** What people and measures look at; live, so copy what is to be kept. */
export interface LearnerView {
  /** The estimate that choices rest on. */
  readonly estimate: Float64Array;
  /** How many observations that estimate rests on (a mean, so a real number), and how many are the peer's own. */
  readonly evidence: number;
  readonly own: number;
  /** Own observations that count no longer, because the peer's taste has changed since; not those inherited from another layout. Only where a policy can start anew. */
  readonly outdated?: number | undefined;
  /** Slots held back in the buffer; 0 where there is none. */
  readonly buffered: number;
  /** Those no longer in the neighbourhood. */
  readonly pruned: ReadonlySet<PeerId>;
  /** The slot (gram, moment) without I that choices rest on: the active sums. */
  readonly active: Float64Array;
  /**
   * How far choices set aside what others gave, because the peer's own observations contradict it: 0 not at all, 1 as if
   * it were alone. Only with a guard.
   */
  readonly aside?: number | undefined;
  /** Those of whom something is kept beside `pruned`; only where a policy can tell. */
  kept?(): Iterable<PeerId>;
  /** From whom observations are borrowed, and how many; only where a policy can tell. */
  lenders?(): ReadonlyMap<PeerId, number>;
  /** Whether the last solution borrows from that one: at once, where `lenders` first finds out what the next will. */
  borrows?(from: PeerId): boolean;
  /**
   * How far the mean of x = vectors[from .. from+d) may be off, as choices weigh it: what is added to it where the best
   * is hoped for, the deviation of what is drawn where it is drawn. Only where a policy can tell.
   */
  spread?(vectors: Float64Array, from: number, round: number): number;
}

/** How a policy's offers travel: as frames, in the order in which an exchange sends them. */
export interface OfferCodec {
  /** `to` is what the reader has told of itself; without it only what needs no such knowledge is encoded. */
  encode(offer: Offer, to?: Offer): Uint8Array[];
  /** Throws a ProtocolViolation for anything a correct peer would not send. */
  decode(frames: readonly Uint8Array[], limits: WireLimits): Offer;
  /** How many bytes the side of `offer` sends to that of `to`, if they come to `outcome`; without making them. */
  bytes(offer: Offer, outcome: Outcome, to?: Offer): number;
  /** Where slots are averaged: the round of an offer's newest slot. */
  newestRound?(offer: Offer): number;
  /** Where records are passed on: an offer's records one by one. */
  readonly records?: OfferedRecords;
}

/** Of records the newest wins, so each may be sent or left out by itself. */
export interface OfferedRecords {
  /** Those of `offer` that whoever told `to` of itself lacks. In an offer that was decoded its sender has chosen already. */
  lackedBy(to: Offer, offer: Offer): readonly PeerRecord[];
  /** The record of `origin` that `offer` has; null where it has none. */
  held(offer: Offer, origin: PeerId): PeerRecord | null;
  /** Whether whoever told `to` of itself holds a record of this origin and era. */
  holds(to: Offer, record: PeerRecord): boolean;
  /** The same offer with these records, whoever reads it. */
  only(offer: Offer, records: readonly PeerRecord[]): Offer;
}

/** A policy with its options: what a config holds, and what makes learners. */
export interface Policy {
  readonly kind: string;
  /** Complete and checked: defaults filled in. Plain data. */
  readonly options: object;
  /** Of what its learners `write`, from 1; 1 when left out. Must rise whenever that changes. */
  readonly layout?: number;
  /** Who meets whom: drawn afresh each round, along a fixed ring, or nobody. */
  readonly pairing: Pairing | "calls" | "ring" | "none";
  /** How many others a peer calls in a round of its own, counted from 1, where it calls (pairing "calls"); 1 when left out. */
  calls?(round: number): number;
  /** What an exchange must promise: nothing, each mixed exactly once (averages), or the newest wins (records). */
  readonly delivery: "none" | "once" | "newest";
  /** Null where peers never meet. */
  readonly codec: OfferCodec | null;
  /** The probability of the arm that it picks: 1, the same for all, or one that nobody computes (thompson). */
  readonly propensity: "certain" | "uniform" | "unknown";
  /** Slots that an offer may hold, where the options fix that; else 0. */
  readonly slots: number;
  /** Whether some of those met may be invented or lie: what nobody has met counts little then. */
  readonly wary?: boolean | undefined;
  /** The same policy, wary; absent where it makes no difference. */
  warily?(): Policy;
  /** Records that one side of an exchange may send; absent where none are sent. */
  readonly budget?: number;
  /** Whether peers may count rounds each by themselves, as on a network. Epochs end by rounds counted together. */
  readonly ownClock: boolean;
  create(dimension: number, peers: number, self: PeerId): Learner;
}
