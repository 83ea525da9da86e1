import type { Arms } from "../bandit/arms.ts";
import { Ball } from "../bandit/ball.ts";
import { Chooser, propensityOf } from "../bandit/choice.ts";
import { type BallOptions, parseBallOptions } from "../bandit/options.ts";
import { radiusAt } from "../bandit/radius.ts";
import { Statistics } from "../bandit/statistics.ts";
import { ProtocolViolation } from "../errors.ts";
import { Parcel } from "../gossip/parcel.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import type { Learner, LearnerView, Offer, OfferCodec, Outcome, Policy } from "../peer/learner.ts";
import { decodeParcel, encodeParcel, parcelBytes } from "../wire/payload.ts";
import { readBall, readStatistics, writeBall, writeStatistics } from "../wire/state.ts";
import { expectFrames, expectOffer } from "./expect.ts";

export interface RoundRobinOffer extends Offer {
  readonly policy: "round-robin";
  readonly parcel: Parcel;
}

/**
 * The appendix's round-robin: along a fixed ring each peer passes on what it received, and everyone counts every
 * observation once. Nothing is averaged, so nothing waits; but news from the far side takes V − 1 rounds, and every peer
 * lacks V(V−1)/2 observations at any time.
 */
export function roundRobin(options: Partial<BallOptions> = {}): Policy {
  const checked = parseBallOptions("", options);
  return {
    kind: "round-robin",
    options: checked,
    pairing: "ring",
    delivery: "once",
    codec,
    propensity: propensityOf(checked.choice),
    slots: 0,
    ownClock: false,
    create: (dimension, peers) => new RoundRobin(dimension, peers, checked),
  };
}

const codec: OfferCodec = {
  encode: (offer) => [encodeParcel(expectOffer<RoundRobinOffer>(offer, "round-robin").parcel)],
  decode: (frames, limits) => {
    expectFrames(frames, 1);
    const offer: RoundRobinOffer = { policy: "round-robin", parcel: decodeParcel(frames[0]!, limits) };
    return offer;
  },
  bytes: (offer) => parcelBytes(expectOffer<RoundRobinOffer>(offer, "round-robin").parcel),
};

class RoundRobin implements Learner {
  /** All observations that reached this peer, its own included. */
  readonly #known: Statistics;
  readonly #ball: Ball;
  readonly #chooser: Chooser;
  /** What to pass on in this round's meeting: last round's own observations and what came in last round. */
  #ready: Parcel;
  /** What to pass on in the next: this round's own observations and what comes in now. */
  #next: Parcel;
  /** Own observations of this round; they count from the next round on. */
  #own = 0;
  #stale = false;
  #peers: number;
  readonly view: LearnerView;

  constructor(
    readonly dimension: number,
    peers: number,
    readonly options: BallOptions,
  ) {
    const known = new Statistics(dimension);
    this.#known = known;
    this.#ball = new Ball(dimension);
    this.#chooser = new Chooser(dimension);
    this.#ready = new Parcel(dimension);
    this.#next = new Parcel(dimension);
    this.#peers = peers;
    const own = (): number => this.#own;
    this.view = {
      estimate: this.#ball.estimate,
      active: known.slot,
      buffered: 0,
      pruned: new Set(),
      get evidence() {
        return known.count;
      },
      get own() {
        return own();
      },
    };
  }

  choose(arms: Arms, round: number, random: Random | undefined): number {
    const radius = radiusAt(this.options.radius, round, this.#ball.factor);
    return this.#chooser.pick(this.options.choice, this.#ball, radius, arms, random);
  }

  score(arms: Arms, round: number, random: Random | undefined, out: Float64Array): void {
    const radius = radiusAt(this.options.radius, round, this.#ball.factor);
    this.#chooser.score(this.options.choice, this.#ball, radius, arms, random, out);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    this.#known.add(vectors, from, reward);
    this.#own += 1;
    this.#stale = true;
    if (this.#peers > 1) this.#next.add(vectors, from, reward, 1);
  }

  offer(): Offer {
    const offer: RoundRobinOffer = { policy: "round-robin", parcel: this.#ready };
    return offer;
  }

  copyOffer(): Offer {
    const offer: RoundRobinOffer = { policy: "round-robin", parcel: this.#ready.copy() };
    return offer;
  }

  judge(_partner: string, offer: Offer): Outcome {
    const { parcel } = expectOffer<RoundRobinOffer>(offer, "round-robin");
    if (parcel.dimension !== this.dimension) {
      throw new ProtocolViolation("mismatch", "offer.dimension", parcel.dimension, `be ${this.dimension}`);
    }
    return "mix";
  }

  mix(offer: Offer): void {
    const { parcel } = expectOffer<RoundRobinOffer>(offer, "round-robin");
    for (let k = 0; k < parcel.length; k++) {
      const hops = parcel.hops(k);
      this.#known.add(parcel.vectors, parcel.offset(k), parcel.reward(k));
      // After V − 1 hops everyone has it.
      if (hops < this.#peers - 1) this.#next.add(parcel.vectors, parcel.offset(k), parcel.reward(k), hops + 1);
    }
    this.#stale ||= parcel.length > 0;
  }

  mixBoth(other: Learner): void {
    const mine = this.offer();
    this.mix(other.offer());
    other.mix(mine);
  }

  part(): void {}
  settle(): void {}
  forget(): void {}

  close(): void {
    if (this.#stale) this.#ball.refresh(this.#known.slot);
    this.#stale = false;
    const sent = this.#ready;
    this.#ready = this.#next;
    this.#next = sent;
    sent.clear();
  }

  /** What waits to be passed on is passed on whenever the ring goes on. */
  catchUp(): void {}

  resize(peers: number): void {
    this.#peers = peers;
  }

  near(): boolean {
    return true;
  }

  write(out: Writer): void {
    writeStatistics(out, this.#known);
    writeBall(out, this.#ball);
    this.#ready.write(out);
    this.#next.write(out);
    out.f64(this.#own);
    out.u8(this.#stale ? 1 : 0);
  }

  read(from: Reader): void {
    readStatistics(from, "known", this.#known);
    readBall(from, "known", this.#ball);
    this.#ready.read(from);
    this.#next.read(from);
    this.#own = from.f64("own");
    this.#stale = from.u8("stale") === 1;
  }
}
