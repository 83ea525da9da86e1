import type { Arms } from "../bandit/arms.ts";
import { Local } from "../bandit/local.ts";
import { ProtocolViolation } from "../errors.ts";
import { Diffusion } from "../gossip/diffusion.ts";
import { Neighbourhood, type PeerId, sameDigest } from "../gossip/neighbourhood.ts";
import type { Slots } from "../gossip/slots.ts";
import { distance, parseThreshold, type Threshold, thresholdAt } from "../gossip/threshold.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import { fields, join, oneOf } from "../options.ts";
import type { Learner, LearnerView, Offer, OfferCodec, Outcome, Policy } from "../peer/learner.ts";
import { HEADER_BYTES } from "../wire/frame.ts";
import {
  decodeGreeting,
  decodeSlots,
  encodeGreeting,
  encodeSlots,
  type Greeting,
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
  expectFrames,
  expectOffer,
  mixPair,
  parseDiffusion,
  viewOf,
} from "./dcb.ts";

/** When two peers that are not pruned share: with equal neighbourhoods (the paper), or always. */
export type Sharing = "equal" | "mutual";

export interface DccbOptions extends DcbOptions {
  readonly threshold: Threshold;
  readonly sharing: Sharing;
}

/** What two peers compare before they share anything, and what they share. */
export interface DccbOffer extends Offer, Greeting {
  readonly policy: "dccb";
  readonly slots: Slots;
}

export function parseDccb(field: string, value: unknown): DccbOptions {
  const given = fields(field, value, [...DCB_FIELDS, "threshold", "sharing"]);
  return {
    ...parseDiffusion(field, given, 0, "neighbours"),
    threshold: parseThreshold(join(field, "threshold"), given.threshold),
    sharing: given.sharing === undefined ? "equal" : oneOf(join(field, "sharing"), given.sharing, ["equal", "mutual"]),
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
    create: (dimension, peers) => new Dccb(dimension, peers, checked),
  };
}

/** Two frames: the greeting, on which the meeting is judged, and the slots, which travel only if it comes to a mix. */
const codec: OfferCodec = {
  encode: (offer, precision) => {
    const mine = expectOffer<DccbOffer>(offer, "dccb");
    return [encodeGreeting(mine, precision), encodeSlots(mine.slots, precision)];
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
  bytes: (offer, outcome, precision) => {
    const { estimate, slots } = expectOffer<DccbOffer>(offer, "dccb");
    if (outcome === "stranger") return HEADER_BYTES; // a refusal
    return greetingBytes(estimate.length, precision) + (outcome === "mix" ? slotsBytes(slots, precision) : 0);
  },
};

class Dccb implements Learner {
  readonly #diffusion: Diffusion;
  readonly #local: Local;
  readonly #neighbourhood = new Neighbourhood();
  /** Those to part from when the meetings of this round are over. */
  readonly #parting: PeerId[] = [];
  #resetting = false;
  #peers: number;
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
    this.view = viewOf(this.#diffusion, this.#neighbourhood.pruned, () => local.statistics.count);
  }

  choose(arms: Arms, round: number, random: Random | undefined): number {
    return this.#diffusion.choose(arms, round, random);
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
    if (!this.#neighbourhood.has(partner)) return "stranger";
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

  part(partner: PeerId): void {
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
    this.#local.show();
  }

  catchUp(round: number): void {
    this.#diffusion.catchUp(round);
  }

  resize(peers: number): void {
    this.#peers = peers;
  }

  forget(partner: PeerId): void {
    this.#neighbourhood.forgive(partner);
    const at = this.#parting.indexOf(partner);
    if (at >= 0) this.#parting.splice(at, 1);
  }

  near(partner: PeerId): boolean {
    return this.#neighbourhood.has(partner);
  }

  write(out: Writer): void {
    writeDiffusion(out, this.#diffusion);
    writeLocal(out, this.#local);
    writeNeighbourhood(out, this.#neighbourhood);
    out.u8(this.#resetting ? 1 : 0);
    out.u32(this.#parting.length);
    for (const partner of this.#parting) out.text(partner);
  }

  read(from: Reader): void {
    readDiffusion(from, this.#diffusion);
    readLocal(from, this.#local);
    readNeighbourhood(from, this.#neighbourhood);
    this.#resetting = from.u8("resetting") === 1;
    const parting = from.u32("parting");
    for (let k = 0; k < parting; k++) this.#parting.push(from.text("parting"));
  }
}
