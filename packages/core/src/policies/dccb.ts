import type { Arms } from "../bandit/arms.ts";
import { Local } from "../bandit/local.ts";
import { ConfigError, ProtocolViolation } from "../errors.ts";
import { Diffusion } from "../gossip/diffusion.ts";
import { Neighbourhood, type PeerId, sameDigest } from "../gossip/neighbourhood.ts";
import type { Slots } from "../gossip/slots.ts";
import { distance, parseThreshold, type Threshold, thresholdAt } from "../gossip/threshold.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import { atLeast, fields, flag, join, oneOf } from "../options.ts";
import type { Learner, LearnerView, Offer, OfferCodec, Outcome, Policy } from "../peer/learner.ts";
import { HEADER_BYTES } from "../wire/frame.ts";
import {
  type DccbGreeting,
  decodeGreeting,
  decodeSlots,
  encodeGreeting,
  encodeSlots,
  greetingBytes,
  slotsBytes,
} from "../wire/payload.ts";
import {
  readDiffusion,
  readLocal,
  readNeighbourhood,
  writeDiffusion,
  writeLocal,
  writeNeighbourhood,
} from "../wire/state.ts";
import {
  checkAligned,
  copySlots,
  DCB_FIELDS,
  type DcbOptions,
  mixPair,
  onNetwork,
  parseDiffusion,
  viewOf,
} from "./dcb.ts";
import { DccbGuard } from "./dccbGuard.ts";
import { expectFrames, expectOffer } from "./expect.ts";

/** When two peers that are not pruned share: with equal neighbourhoods (the paper), or always. */
export type Sharing = "equal" | "mutual";

/** The options of `dccb`, complete. */
export interface DccbOptions extends DcbOptions {
  readonly threshold: Threshold;
  readonly sharing: Sharing;
  /** What was shared is set aside while own observations contradict it (guard.ts): not in the paper, off when left out. */
  readonly guard?: boolean;
  /**
   * Those parted from are looked at again whenever own observations have grown so many times since, and taken back if the
   * estimates lie within the threshold by then. Not in the paper, and off when left out.
   */
  readonly forgive?: number;
}

/** What two peers compare before they share anything, and what they share. */
export interface DccbOffer extends Offer, DccbGreeting {
  readonly policy: "dccb";
  readonly slots: Slots;
}

export function parseDccb(field: string, value: unknown): DccbOptions {
  const given = fields(field, value, [...DCB_FIELDS, "threshold", "sharing", "guard", "forgive"]);
  const sharing =
    given.sharing === undefined ? "equal" : oneOf(join(field, "sharing"), given.sharing, ["equal", "mutual"]);
  // Who is taken back, and when, differs from peer to peer: neighbourhoods would never be equal again.
  if (given.forgive !== undefined && sharing === "equal")
    throw new ConfigError(join(field, "forgive"), given.forgive, "be used with sharing: mutual");
  return {
    ...parseDiffusion(field, given, 0, "neighbours"),
    threshold: parseThreshold(join(field, "threshold"), given.threshold),
    sharing,
    ...(given.guard === undefined ? {} : { guard: flag(join(field, "guard"), given.guard) }),
    ...(given.forgive === undefined ? {} : { forgive: atLeast(join(field, "forgive"), given.forgive, 1) }),
  };
}

/** The Distributed Clustering Confidence Ball (Algorithm 1): DCB, and peers part from those unlike them. */
export function dccb(options: Partial<DccbOptions> = {}): Policy {
  const checked = parseDccb("", options);
  return {
    kind: "dccb",
    options: checked,
    pairing: checked.pairing,
    delivery: "once",
    codec,
    ...onNetwork(checked),
    create: (dimension, peers) => new Dccb(dimension, peers, checked),
  };
}

/** Two frames: the greeting, on which the meeting is judged, and the slots, which travel only if it comes to a mix. */
const codec: OfferCodec = {
  encode: (offer) => {
    const mine = expectOffer<DccbOffer>(offer, "dccb");
    return [encodeGreeting(mine), encodeSlots(mine.slots)];
  },
  decode: (frames, limits) => {
    expectFrames(frames, 2);
    const offer: DccbOffer = {
      policy: "dccb",
      ...decodeGreeting(frames[0]!, limits),
      slots: decodeSlots(frames[1]!, limits),
    };
    return offer;
  },
  bytes: (offer, outcome) => {
    const { estimate, slots } = expectOffer<DccbOffer>(offer, "dccb");
    if (outcome === "stranger") return HEADER_BYTES; // a refusal
    return greetingBytes(estimate.length) + (outcome === "mix" ? slotsBytes(slots) : 0);
  },
  newestRound: (offer) => expectOffer<DccbOffer>(offer, "dccb").slots.newestRound,
};

class Dccb implements Learner {
  readonly #diffusion: Diffusion;
  readonly #local: Local;
  readonly #neighbourhood = new Neighbourhood();
  /** Those to part from when the meetings of this round are over. */
  readonly #parting: PeerId[] = [];
  #resetting = false;
  #peers: number;
  readonly #guard: DccbGuard | null;
  /** Own observations when each of those pruned was last looked at; only with `forgive`. */
  readonly #looked: Map<PeerId, number> | null;
  readonly #offer: DccbOffer;
  readonly view: LearnerView;

  constructor(
    readonly dimension: number,
    peers: number,
    readonly options: DccbOptions,
  ) {
    this.#diffusion = new Diffusion(dimension, options);
    const local = new Local(dimension);
    this.#local = local;
    this.#peers = peers;
    const resetting = (): boolean => this.#resetting;
    this.#offer = {
      policy: "dccb",
      estimate: local.shown,
      digest: this.#neighbourhood.digest,
      slots: this.#diffusion.buffer.shared,
      get count() {
        return local.shownCount;
      },
      get resetting() {
        return resetting();
      },
    };
    this.#guard = options.guard === true ? new DccbGuard(local, options) : null;
    this.#looked = options.forgive === undefined ? null : new Map();
    const view = viewOf(this.#diffusion, this.#neighbourhood.pruned, () => local.statistics.count);
    this.view = this.#guard?.over(view) ?? view;
  }

  choose(arms: Arms, round: number, random: Random | undefined): number {
    const alone = this.#guard?.choose(this.#diffusion.ball, arms, round, random) ?? null;
    return alone ?? this.#diffusion.choose(arms, round, random);
  }

  score(arms: Arms, round: number, random: Random | undefined, out: Float64Array): void {
    if (this.#guard?.score(this.#diffusion.ball, arms, round, random, out) === true) return;
    this.#diffusion.score(arms, round, random, out);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    this.#diffusion.open.add(vectors, from, reward);
    this.#local.observe(vectors, from, reward);
  }

  offer(): Offer {
    return this.#offer;
  }

  copyOffer(): Offer {
    const { policy, estimate, count, digest, resetting, slots } = this.#offer;
    const copy: DccbOffer = {
      policy,
      estimate: estimate.slice(),
      count,
      digest: digest.slice(),
      resetting,
      slots: copySlots(slots),
    };
    return copy;
  }

  judge(partner: PeerId, offer: Offer, round: number): Outcome {
    const theirs = expectOffer<DccbOffer>(offer, "dccb");
    if (theirs.estimate.length !== this.dimension) {
      throw new ProtocolViolation("mismatch", "offer.dimension", theirs.estimate.length, `be ${this.dimension}`);
    }
    if (this.#looked === null && !this.#neighbourhood.has(partner)) return "stranger";
    const { shown, shownCount } = this.#local;
    const threshold = thresholdAt(this.options.threshold, shownCount, theirs.count, round, this.dimension);
    if (distance(shown, theirs.estimate) > threshold) return "prune";
    if (this.#resetting || theirs.resetting) return "keep";
    if (this.options.sharing === "equal" && !sameDigest(this.#offer.digest, theirs.digest)) return "keep";
    checkAligned(this.#offer.slots, theirs.slots);
    return "mix";
  }

  mix(offer: Offer): void {
    this.#offer.slots.mixFrom(expectOffer<DccbOffer>(offer, "dccb").slots, this.options.clip);
  }

  mixBoth(other: Learner): void {
    mixPair(this.#offer.slots, expectOffer<DccbOffer>(other.offer(), "dccb").slots, this.options.clip);
  }

  reconcile(partner: PeerId): void {
    if (this.#looked?.delete(partner)) this.#neighbourhood.forgive(partner);
  }

  part(partner: PeerId): void {
    this.#looked?.set(partner, this.#local.shownCount);
    if (this.#neighbourhood.has(partner) && !this.#parting.includes(partner)) this.#parting.push(partner);
  }

  settle(): void {
    for (const partner of this.#parting) {
      this.#neighbourhood.prune(partner);
      this.#resetting = true;
    }
    this.#parting.length = 0;
  }

  close(round: number): void {
    // At least itself; the number of peers is hearsay on a network and may lag behind the prunes.
    const size = Math.max(1, this.#peers - this.#neighbourhood.pruned.size);
    if (this.#resetting) this.#diffusion.closeReset(round, this.#peers, size, this.#local.statistics);
    else this.#diffusion.close(round, this.#peers, size);
    this.#resetting = false;
    // What waits in a batch is not shown either.
    if (this.#diffusion.open.count === 0) this.#local.show();
  }

  catchUp(round: number): void {
    this.#diffusion.catchUp(round);
  }

  resize(peers: number): void {
    this.#peers = peers;
  }

  forget(partner: PeerId): void {
    this.#neighbourhood.forgive(partner);
    this.#looked?.delete(partner);
    const at = this.#parting.indexOf(partner);
    if (at >= 0) this.#parting.splice(at, 1);
  }

  near(partner: PeerId): boolean {
    return this.#neighbourhood.has(partner) || this.#isDue(partner);
  }

  /** Whether somebody pruned is to be looked at again. */
  #isDue(partner: PeerId): boolean {
    const { forgive } = this.options;
    const before = this.#looked?.get(partner);
    return forgive !== undefined && before !== undefined && this.#local.shownCount > forgive * before;
  }

  write(out: Writer): void {
    writeDiffusion(out, this.#diffusion);
    writeLocal(out, this.#local);
    writeNeighbourhood(out, this.#neighbourhood);
    out.u8(this.#resetting ? 1 : 0);
    out.texts(this.#parting);
    if (this.#looked !== null) writeLooked(out, this.#looked);
  }

  read(from: Reader): void {
    readDiffusion(from, this.#diffusion);
    readLocal(from, this.#local);
    readNeighbourhood(from, this.#neighbourhood);
    this.#resetting = from.u8("resetting") === 1;
    for (const partner of from.texts("parting")) this.#parting.push(partner);
    if (this.#looked !== null) readLooked(from, this.#looked);
  }
}

/** Sorted, as the neighbourhood is. */
function writeLooked(out: Writer, looked: ReadonlyMap<PeerId, number>): void {
  out.u32(looked.size);
  for (const peer of [...looked.keys()].sort()) {
    out.text(peer);
    out.f64(looked.get(peer)!);
  }
}

function readLooked(from: Reader, into: Map<PeerId, number>): void {
  for (let left = from.u32("looked"); left > 0; left--) into.set(from.text("looked"), from.f64("looked"));
}
