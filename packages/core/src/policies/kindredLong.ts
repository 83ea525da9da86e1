import type { Arms } from "../bandit/arms.ts";
import type { PeerId } from "../gossip/neighbourhood.ts";
import { Columns } from "../kindred/columns.ts";
import type { Greeting } from "../kindred/greeting.ts";
import type { KindredOptions } from "../kindred/options.ts";
import { profileOf } from "../kindred/profile.ts";
import { complain, type PeerRecord } from "../kindred/record.ts";
import { SeenSpan } from "../kindred/span.ts";
import { WideningReader } from "../kindred/widening.ts";
import { type Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import type { Heritage, Learner, LearnerView, Offer, Outcome } from "../peer/learner.ts";
import { Kindred } from "./kindred.ts";
import type { KindredOffer } from "./kindredOffer.ts";

/** As it came, whatever it is told in. */
const given = <T extends PeerRecord | null>(record: T): T => (record?.given as T | undefined) ?? record;

/** Coordinates come so many at a time, or a quarter of what there are: each time the state is read anew. */
const MORE = 16;
/** Before the state of a peer that keeps to a span; without one it begins with an era, which is not negative. */
const SPANNED = -1;

/**
 * A kindred peer where vectors are long: what it has seen lies in the span of a few of them, and it reckons in coordinates of that (span.ts).
 * Work goes with the cube of what was seen, and only in proportion to the features, until that much was seen that all are needed.
 * What it says to others, and what it is told, is in all features.
 */
export class LongKindred implements Learner {
  readonly #span: SeenSpan;
  #inner: Kindred;
  #lost = false;
  /** The last greetings, so that the same one is told as the same. */
  #greeted: { mine: Greeting | null; told: Greeting | null } = { mine: null, told: null };
  #met: { theirs: Greeting | null; told: Greeting | null } = { theirs: null, told: null };
  #placed = new Float64Array(0);
  readonly #offer: KindredOffer;
  readonly view: LearnerView;

  constructor(
    readonly self: PeerId,
    readonly whole: number,
    readonly options: KindredOptions,
  ) {
    this.#span = new SeenSpan(whole);
    this.#inner = this.#make(MORE);
    const [inner, span] = [(): Kindred => this.#inner, this.#span];
    const offer = (): KindredOffer => inner().offer() as KindredOffer;
    const greeting = (): Greeting => this.#told(offer().greeting);
    this.#offer = {
      policy: "kindred",
      dimension: whole,
      get due() {
        return offer().due ?? false;
      },
      get greeting() {
        return greeting();
      },
      recordsFor: (to) => this.#lent(to, offer().recordsFor),
      held: (origin) => given(offer().held!(origin)),
    };
    this.view = {
      get estimate() {
        return span.lift(inner().view.estimate);
      },
      get active() {
        return span.lifted(inner().view.active);
      },
      buffered: 0,
      pruned: new Set(),
      kept: () => inner().view.kept!(),
      lenders: () => inner().view.lenders!(),
      spread: (vectors, from, round) => {
        const { values } = this.#place({ values: vectors.subarray(from, from + whole), count: 1 });
        return inner().view.spread!(values, 0, round);
      },
      get evidence() {
        return inner().view.evidence;
      },
      get own() {
        return inner().view.own;
      },
      get aside() {
        return inner().view.aside;
      },
    };
  }

  choose(arms: Arms, round: number, random: Random | undefined): number {
    return this.#inner.choose(this.#place(arms), round, random);
  }

  score(arms: Arms, round: number, random: Random | undefined, out: Float64Array): void {
    this.#inner.score(this.#place(arms), round, random, out);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    this.#span.extend(vectors, from);
    this.#makeRoom();
    const x = this.#span.measure(new Float64Array(this.#inner.dimension), 0, vectors, from, this.#span.size);
    this.#inner.observe(x, 0, reward, vectors, from);
  }

  offer(): Offer {
    return this.#offer;
  }

  copyOffer(): Offer {
    const { greeting, recordsFor } = this.#inner.copyOffer() as KindredOffer;
    const copy: KindredOffer = {
      policy: "kindred",
      dimension: this.whole,
      greeting: this.#told(greeting),
      recordsFor: (to) => this.#lent(to, recordsFor),
    };
    return copy;
  }

  /** A greeting of the parts within, with the profile in all features. */
  #told(greeting: Greeting): Greeting {
    if (greeting.profile === null) return greeting;
    if (this.#greeted.mine !== greeting) {
      const profile = profileOf(this.view.estimate, greeting.profile.evidence);
      this.#greeted = { mine: greeting, told: { ...greeting, profile } };
    }
    return this.#greeted.told!;
  }

  /** What is lent to whoever greets, as it came: its profile is told to the parts within in coordinates. */
  #lent(to: Greeting, recordsFor: KindredOffer["recordsFor"]): PeerRecord[] {
    if (this.#met.theirs !== to) {
      this.#met = { theirs: to, told: this.#span.greeted(to, this.#inner.dimension) };
    }
    return recordsFor(this.#met.told!).map(given);
  }

  judge(partner: PeerId, offer: Offer): Outcome {
    return this.#inner.judge(partner, offer);
  }

  mix(offer: Offer): void {
    const theirs = offer as KindredOffer;
    const { greeting, held } = this.#offer;
    const news = theirs.recordsFor(greeting).filter(({ origin, version }) => {
      return origin !== this.self && version > (held!(origin)?.version ?? 0);
    });
    const { whole } = this;
    const span = this.#span;
    for (const { slot } of news) span.extendBy(Columns.of(slot, whole));
    this.#makeRoom();
    const taken = news.map((record) => span.take(record, this.#inner.dimension));
    const placed: KindredOffer = { policy: "kindred", dimension: whole, greeting, recordsFor: () => taken };
    this.#inner.mix(placed);
  }

  mixBoth(other: Learner): void {
    const offer = other.offer() as KindredOffer;
    const mine = this.#offer.recordsFor(offer.greeting);
    this.mix(offer);
    const lent: KindredOffer = { ...offer, recordsFor: () => mine };
    other.mix(lent);
  }

  suggest(random: Random, isThere?: (peer: PeerId) => boolean): PeerId | null {
    return this.#inner.suggest(random, isThere);
  }

  part(): void {}
  settle(): void {}
  catchUp(): void {}

  resize(peers: number): void {
    this.#inner.resize(peers);
  }

  forget(partner: PeerId): void {
    this.#inner.forget(partner);
  }

  change(): void {
    this.#inner.change();
  }

  heritage(): Heritage {
    const heritage = this.#inner.heritage();
    return { ...heritage, slot: this.#span.lifted(heritage.slot) };
  }

  inherit(heritage: Heritage): void {
    const columns = Columns.of(heritage.slot, this.whole);
    this.#span.extendBy(columns);
    this.#makeRoom();
    this.#inner.inherit({ ...heritage, slot: this.#span.slotOf(columns, this.#inner.dimension) });
  }

  recall(lost: boolean): void {
    this.#lost = lost;
    this.#inner.recall(lost);
  }

  renew(version: number): void {
    this.#inner.renew(version);
  }

  close(round: number): void {
    this.#inner.close(round);
  }

  near(): boolean {
    return true;
  }

  /** −1 | coordinates | directions | the directions | the state in these coordinates. */
  write(out: Writer): void {
    const { size, rows } = this.#span;
    out.f64(SPANNED);
    out.u32(this.#inner.dimension);
    out.u32(size);
    out.f64s(rows, 0, size * this.whole);
    this.#inner.write(out);
  }

  /** Of a state without a span all features are coordinates. */
  read(from: Reader): void {
    const { whole } = this;
    const span = this.#span;
    const spanned = from.f64("span") === SPANNED;
    if (!spanned) from.back(8);
    const coordinates = spanned ? from.u32("span") : whole;
    span.size = spanned ? from.u32("span") : whole;
    span.rows = new Float64Array(span.size * whole);
    if (spanned) from.f64s("span", span.rows);
    else for (let i = 0; i < whole; i++) span.rows[i * whole + i] = 1;
    this.#inner = this.#make(coordinates);
    this.#inner.read(from);
  }

  #make(coordinates: number): Kindred {
    return new Kindred(this.self, coordinates, this.options, this.#span);
  }

  /** Arms in coordinates. */
  #place({ values, count }: Arms): Arms {
    const c = this.#inner.dimension;
    if (this.#placed.length < count * c) this.#placed = new Float64Array(count * c);
    for (let arm = 0; arm < count; arm++) this.#span.place(this.#placed, arm * c, c, values, arm * this.whole);
    return { values: this.#placed, count };
  }

  /** One coordinate more than directions, or as many as features. */
  #makeRoom(): void {
    const { whole } = this;
    const { size } = this.#span;
    const now = this.#inner.dimension;
    if (size < now || now === whole) return;
    const more = size + Math.max(MORE, size >> 2);
    const out = new Writer();
    this.#inner.write(out);
    // Few would be left to come: all at once.
    const wider = this.#make(more > 0.9 * whole ? whole : more);
    wider.read(new WideningReader(out.bytes(), complain, now, wider.dimension));
    wider.recall(this.#lost);
    this.#inner = wider;
  }
}
