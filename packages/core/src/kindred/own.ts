import type { Reader, Writer } from "../numbers/bytes.ts";
import { addObservation, slotSize } from "../numbers/packed.ts";
import type { Sums } from "./record.ts";
import { type RewardLikelihood, SeenRewards } from "./rewardLikelihood.ts";

/** Starts are kept so that those of neighbours' neighbours differ in length by at least this factor: O(log n) of them. */
const SPACING = 1.5;
/** What is added to the kurtosis of one error. */
const FEW = 20;

/** The sums since one moment at which the taste may have changed. */
export class Start implements Sums {
  readonly slot: Float64Array;
  squares = 0;
  count = 0;
  /** The largest squared error with which one of its rewards was predicted. */
  worst = 0;
  /** Observations when this start was last compared with the present one. */
  tested = 0;

  constructor(readonly dimension: number) {
    this.slot = new Float64Array(slotSize(dimension));
  }

  /** An observation, given as sums of that one alone: many starts take the same. */
  add(one: Float64Array, reward: number, error: number): void {
    const { slot } = this;
    for (let k = 0; k < slot.length; k++) slot[k]! += one[k]!;
    this.squares += reward * reward;
    this.count += 1;
    this.worst = Math.max(this.worst, error * error);
  }

  clear(): this {
    this.slot.fill(0);
    this.squares = 0;
    this.count = 0;
    this.worst = 0;
    this.tested = 0;
    return this;
  }

  write(out: Writer): void {
    out.f64s(this.slot);
    for (const value of [this.squares, this.count, this.worst, this.tested]) out.f64(value);
  }

  read(from: Reader): this {
    from.f64s("own", this.slot);
    this.squares = from.f64("own");
    this.count = from.f64("own");
    this.worst = from.f64("own");
    this.tested = from.f64("own");
    return this;
  }
}

/**
 * A peer's own sums since its era began, and since later moments at which its taste may have changed. A change point is
 * looked for among these starts (change.ts); when one is found, the era begins anew there.
 */
export class OwnSums implements Sums {
  /** How often this peer started anew. */
  era = 0;
  #present: Start;
  /** Σ e² and Σ e⁴ of the errors of all eras. */
  #second = 0;
  #fourth = 0;
  #errors = 0;
  /** Of all eras. */
  readonly #rewards = new SeenRewards();
  /** Oldest first, so longest first. All are later than the present start. */
  #later: Start[] = [];
  /** The sums of one observation. */
  readonly #one: Float64Array;
  /** One that is of no use any more: the next one takes its room. */
  #spare: Start | null = null;

  constructor(readonly dimension: number) {
    this.#present = new Start(dimension);
    this.#one = new Float64Array(slotSize(dimension));
  }

  get slot(): Float64Array {
    return this.#present.slot;
  }

  get squares(): number {
    return this.#present.squares;
  }

  get count(): number {
    return this.#present.count;
  }

  get worst(): number {
    return this.#present.worst;
  }

  /** Kurtosis of own rewards about what was expected; more where few are known, so that one is not taken for the rule. */
  get kurtosis(): number {
    const mean = this.#second / this.#errors;
    return mean > 0 ? this.#fourth / this.#errors / (mean * mean) + FEW / this.#errors : Infinity;
  }

  /** Observations from before the taste changed, since this state was begun or taken over from another layout. */
  get outdated(): number {
    return Math.max(0, this.#errors - this.count);
  }

  /** The likelihood that own rewards follow. */
  get likelihood(): RewardLikelihood {
    return this.#rewards.likelihood;
  }

  /** Later moments at which the taste may have changed, the oldest first. */
  get later(): readonly Start[] {
    return this.#later;
  }

  /** Sums since the latest start of at least `least` observations. */
  since(least: number): Start {
    let found = this.#present;
    for (const start of this.#later) if (start.count >= least) found = start;
    return found;
  }

  /** An observation, and by how much its reward differed from what was expected. */
  add(vectors: Float64Array, from: number, reward: number, error: number): void {
    if (this.#present.count > 0) this.#later.push(this.#spare?.clear() ?? new Start(this.dimension));
    this.#spare = null;
    const one = this.#one.fill(0);
    addObservation(one, 0, this.dimension, vectors, from, reward);
    this.#present.add(one, reward, error);
    this.#errors += 1;
    this.#rewards.add(reward);
    this.#second += error * error;
    this.#fourth += error * error * error * error;
    for (const start of this.#later) start.add(one, reward, error);
    this.#thin();
  }

  /** A new era from `start`, one of the later ones. */
  restart(start: Start): void {
    this.era += 1;
    this.#later = this.#later.slice(this.#later.indexOf(start) + 1);
    this.#present = start;
  }

  /** A new era that has seen nothing. */
  clear(): void {
    this.era += 1;
    this.#later = [];
    this.#present = new Start(this.dimension);
  }

  /** Goes on from sums whose single observations are not known any more. */
  load({ slot, squares, count }: Sums, era: number): void {
    this.era = era;
    this.#later = [];
    this.#present = new Start(this.dimension);
    this.#present.slot.set(slot);
    this.#present.squares = squares;
    this.#present.count = count;
  }

  /** A start goes where those on both sides of it lie close together. The newest stays: every moment is considered once. */
  #thin(): void {
    const later = this.#later;
    let before: Start = this.#present;
    let kept = 0;
    for (let k = 0; k < later.length; k++) {
      const start = later[k]!;
      const after = later[k + 1];
      if (after !== undefined && before.count <= SPACING * after.count) {
        this.#spare = start;
        continue;
      }
      later[kept++] = start;
      before = start;
    }
    later.length = kept;
  }

  write(out: Writer): void {
    for (const value of [this.era, this.#errors, this.#second, this.#fourth]) out.f64(value);
    this.#rewards.write(out);
    this.#present.write(out);
    out.u32(this.#later.length);
    for (const start of this.#later) start.write(out);
  }

  read(from: Reader): void {
    this.era = from.f64("own");
    this.#errors = from.f64("own");
    this.#second = from.f64("own");
    this.#fourth = from.f64("own");
    this.#rewards.read(from);
    this.#present = new Start(this.dimension).read(from);
    const size = from.u32("own");
    this.#later = [];
    for (let k = 0; k < size; k++) this.#later.push(new Start(this.dimension).read(from));
  }
}
