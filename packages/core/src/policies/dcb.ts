import type { Arms } from "../bandit/arms.ts";
import { parseChoice, propensityOf } from "../bandit/choice.ts";
import { parseRadius } from "../bandit/radius.ts";
import { ProtocolViolation } from "../errors.ts";
import { parseBatch } from "../gossip/batch.ts";
import { parseBufferKind } from "../gossip/buffer.ts";
import { parseClip } from "../gossip/clip.ts";
import { parseDelay } from "../gossip/delay.ts";
import { Diffusion, type DiffusionOptions } from "../gossip/diffusion.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import { type Pairing, parsePairing } from "../gossip/pairing.ts";
import { Slots } from "../gossip/slots.ts";
import { parseWeight } from "../gossip/weight.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import { type Fields, fields, flag, join } from "../options.ts";
import type { Learner, LearnerView, Offer, OfferCodec, Outcome, Policy } from "../peer/learner.ts";
import { decodeSlots, encodeSlots, slotsBytes } from "../wire/payload.ts";
import { readDiffusion, writeDiffusion } from "../wire/state.ts";
import { expectFrames, expectOffer } from "./expect.ts";

/** The options of `dcb`, complete. */
export interface DcbOptions extends DiffusionOptions {
  readonly pairing: Pairing;
}

export interface DcbOffer extends Offer {
  readonly policy: "dcb";
  readonly slots: Slots;
}

export const DCB_FIELDS = [
  "radius",
  "choice",
  "delay",
  "weight",
  "buffer",
  "bridge",
  "pairing",
  "clip",
  "batch",
] as const;

export function parseDcb(field: string, value: unknown): DcbOptions {
  return parseDiffusion(field, fields(field, value, DCB_FIELDS), 1.5, "matching");
}

/** The options that dcb and dccb have in common; their defaults differ in the delay and the pairing. */
export function parseDiffusion(field: string, given: Fields, networkExponent: number, pairing: Pairing): DcbOptions {
  return {
    radius: parseRadius(join(field, "radius"), given.radius),
    choice: parseChoice(join(field, "choice"), given.choice),
    delay: parseDelay(join(field, "delay"), given.delay, networkExponent),
    weight: parseWeight(join(field, "weight"), given.weight),
    buffer: parseBufferKind(join(field, "buffer"), given.buffer),
    bridge: given.bridge === undefined ? false : flag(join(field, "bridge"), given.bridge),
    pairing: parsePairing(join(field, "pairing"), given.pairing, pairing),
    ...(given.clip === undefined ? {} : { clip: parseClip(join(field, "clip"), given.clip) }),
    ...(given.batch === undefined ? {} : { batch: parseBatch(join(field, "batch"), given.batch) }),
  };
}

/** The Distributed Confidence Ball (Algorithm 3): all peers share one θ, and average their buffers in pairs. */
export function dcb(options: Partial<DcbOptions> = {}): Policy {
  const checked = parseDcb("", options);
  return {
    kind: "dcb",
    options: checked,
    pairing: checked.pairing,
    delivery: "once",
    codec,
    ...onNetwork(checked),
    create: (dimension, peers) => new Dcb(dimension, peers, checked),
  };
}

/** What whoever runs peers over a network has to know of the options that dcb and dccb have in common. */
export function onNetwork({ choice, delay, buffer }: DcbOptions): Pick<Policy, "propensity" | "slots" | "ownClock"> {
  // The slot of the round under way, and one of a partner that is a round further.
  const slots = "rounds" in delay ? delay.rounds + 2 : 0;
  return { propensity: propensityOf(choice), slots, ownClock: buffer !== "epoch" };
}

const codec: OfferCodec = {
  encode: (offer) => [encodeSlots(expectOffer<DcbOffer>(offer, "dcb").slots)],
  decode: (frames, limits) => {
    expectFrames(frames, 1);
    const offer: DcbOffer = { policy: "dcb", slots: decodeSlots(frames[0]!, limits) };
    return offer;
  },
  bytes: (offer) => slotsBytes(expectOffer<DcbOffer>(offer, "dcb").slots),
  newestRound: (offer) => expectOffer<DcbOffer>(offer, "dcb").slots.newestRound,
};

class Dcb implements Learner {
  readonly #diffusion: Diffusion;
  readonly #offer: DcbOffer;
  readonly view: LearnerView;
  #observed = 0;
  #peers: number;

  constructor(dimension: number, peers: number, options: DcbOptions) {
    this.#diffusion = new Diffusion(dimension, options);
    this.#peers = peers;
    this.#offer = { policy: "dcb", slots: this.#diffusion.buffer.shared };
    this.view = viewOf(this.#diffusion, new Set(), () => this.#observed);
  }

  choose(arms: Arms, round: number, random: Random | undefined): number {
    return this.#diffusion.choose(arms, round, random);
  }

  score(arms: Arms, round: number, random: Random | undefined, out: Float64Array): void {
    this.#diffusion.score(arms, round, random, out);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    this.#diffusion.open.add(vectors, from, reward);
    this.#observed += 1;
  }

  offer(): Offer {
    return this.#offer;
  }

  copyOffer(): Offer {
    const copy: DcbOffer = { policy: "dcb", slots: copySlots(this.#offer.slots) };
    return copy;
  }

  judge(_partner: PeerId, offer: Offer): Outcome {
    checkAligned(this.#offer.slots, expectOffer<DcbOffer>(offer, "dcb").slots);
    return "mix";
  }

  mix(offer: Offer): void {
    this.#offer.slots.mixFrom(expectOffer<DcbOffer>(offer, "dcb").slots, this.#diffusion.options.clip);
  }

  mixBoth(other: Learner): void {
    mixPair(this.#offer.slots, expectOffer<DcbOffer>(other.offer(), "dcb").slots, this.#diffusion.options.clip);
  }

  part(): void {}
  settle(): void {}
  forget(): void {}

  close(round: number): void {
    this.#diffusion.close(round, this.#peers, this.#peers);
  }

  catchUp(round: number): void {
    this.#diffusion.catchUp(round);
  }

  resize(peers: number): void {
    this.#peers = peers;
  }

  near(): boolean {
    return true;
  }

  write(out: Writer): void {
    out.f64(this.#observed);
    writeDiffusion(out, this.#diffusion);
  }

  read(from: Reader): void {
    this.#observed = from.f64("observed");
    readDiffusion(from, this.#diffusion);
  }
}

/** What is seen of a peer that learns by diffusion. */
export function viewOf(diffusion: Diffusion, pruned: ReadonlySet<PeerId>, own: () => number): LearnerView {
  return {
    estimate: diffusion.ball.estimate,
    active: diffusion.active.slot,
    pruned,
    spread: (vectors, from, round) => diffusion.spread(vectors, from, round),
    get evidence() {
      return diffusion.evidence;
    },
    get own() {
      return own();
    },
    get buffered() {
      return diffusion.buffer.held;
    },
  };
}

/** Each side with the other as it was. */
export function mixPair(mine: Slots, theirs: Slots, clip: number | undefined): void {
  if (clip === undefined) {
    mine.mixBoth(theirs);
    return;
  }
  const before = copySlots(mine);
  mine.mixFrom(theirs, clip);
  theirs.mixFrom(before, clip);
}

export function copySlots(slots: Slots): Slots {
  const copy = new Slots(slots.dimension, Math.max(slots.length, 1));
  copy.copyFrom(slots);
  return copy;
}

/** Slots are mixed round by round, counted from the newest, so that must be of the same round on both sides. */
export function checkAligned(mine: Slots, theirs: Slots): void {
  if (theirs.dimension !== mine.dimension) {
    throw new ProtocolViolation("mismatch", "offer.dimension", theirs.dimension, `be ${mine.dimension}`);
  }
  if (theirs.newestRound !== mine.newestRound) {
    throw new ProtocolViolation("mismatch", "offer.round", theirs.newestRound, `be ${mine.newestRound}`);
  }
}
