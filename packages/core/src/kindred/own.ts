import type { Reader, Writer } from "../numbers/bytes.ts";
import { addObservation, slotSize } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import type { Sums } from "./record.ts";
import { type RewardLikelihood, SeenRewards } from "./rewardLikelihood.ts";

/** Starts are kept so that those of neighbours' neighbours differ in length by at least this factor: O(log n) of them. */
const SPACING = 1.5;
/** What is added to the kurtosis of one error. */
const FEW = 20;

/**
 * A moment at which the taste may have changed. It holds the sums of the era until then: what came since is the difference to
 * the sums of today, so that an observation is added once, and not to each of many starts.
 */
export class Start implements Sums {
  readonly slot: Float64Array;
  squares = 0;
  count = 0;
  /** The largest squared error with which a reward since was predicted. */
  worst = 0;
  /** Observations since, when this start was last compared with the present one. */
  tested = 0;

  constructor(readonly dimension: number) {
    this.slot = sharedNumbers(slotSize(dimension));
  }

  /** A start now: before it is all that `sums` hold. */
  begin({ slot, squares, count }: Sums): this {
    this.slot.set(slot);
    this.squares = squares;
    this.count = count;
    this.worst = 0;
    this.tested = 0;
    return this;
  }

  /** Leaves out what came before another start. */
  subtract({ slot, squares, count }: Sums): void {
    for (let k = 0; k < slot.length; k++) this.slot[k]! -= slot[k]!;
    this.squares -= squares;
    this.count -= count;
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
 * A peer's own sums since its era began, and those until later moments at which its taste may have changed. A change point is
 * looked for among these starts (change.ts); when one is found, the era begins anew there.
 */
export class OwnSums implements Sums {
  /** How often this peer started anew. */
  era = 0;
  readonly slot: Float64Array;
  squares = 0;
  count = 0;
  /** The largest squared error with which a reward of this era was predicted. */
  worst = 0;
  /** `count` when the starts were last looked through for a change (change.ts). */
  tested = 0;
  /** Σ e² and Σ e⁴ of the errors of all eras. */
  #second = 0;
  #fourth = 0;
  #errors = 0;
  /** Of all eras. */
  readonly #rewards = new SeenRewards();
  /** Oldest first, so longest first. */
  #later: Start[] = [];
  /** What is recent, as `recent` found it last. */
  readonly #recent: Float64Array;
  /** Those that are of no use any more: the next ones take their room. */
  readonly #spare: Start[] = [];

  constructor(readonly dimension: number) {
    this.slot = sharedNumbers(slotSize(dimension));
    this.#recent = sharedNumbers(slotSize(dimension));
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

  /** Observations since a start. */
  countSince(start: Start): number {
    return this.count - start.count;
  }

  /** out = the sums since a start. */
  slotSince(start: Start, out: Float64Array): Float64Array {
    const [all, before] = [this.slot, start.slot];
    for (let k = 0; k < out.length; k++) out[k] = all[k]! - before[k]!;
    return out;
  }

  /** Sums since the latest start of at least `least` observations; lent until the next call. */
  since(least: number): Pick<Sums, "slot" | "count"> {
    let found: Start | null = null;
    for (const start of this.#later) if (this.countSince(start) >= least) found = start;
    if (found === null) return this;
    return { slot: this.slotSince(found, this.#recent), count: this.countSince(found) };
  }

  /** An observation, and by how much its reward differed from what was expected. */
  add(vectors: Float64Array, from: number, reward: number, error: number): void {
    if (this.count > 0) this.#later.push((this.#spare.pop() ?? new Start(this.dimension)).begin(this));
    addObservation(this.slot, 0, this.dimension, vectors, from, reward);
    const square = error * error;
    this.squares += reward * reward;
    this.count += 1;
    this.worst = Math.max(this.worst, square);
    for (const start of this.#later) start.worst = Math.max(start.worst, square);
    this.#errors += 1;
    this.#rewards.add(reward);
    this.#second += square;
    this.#fourth += square * square;
    this.#thin();
  }

  /** A new era from `start`, one of the later ones. */
  restart(start: Start): void {
    this.era += 1;
    this.#later = this.#later.slice(this.#later.indexOf(start) + 1);
    this.slotSince(start, this.slot);
    this.squares -= start.squares;
    this.count -= start.count;
    this.worst = start.worst;
    this.tested = 0;
    for (const later of this.#later) later.subtract(start);
  }

  /** A new era that has seen nothing. */
  clear(): void {
    this.era += 1;
    this.#later = [];
    this.slot.fill(0);
    this.squares = 0;
    this.count = 0;
    this.worst = 0;
    this.tested = 0;
  }

  /** Goes on from sums whose single observations are not known any more. */
  load({ slot, squares, count }: Sums, era: number): void {
    this.clear();
    this.era = era;
    this.slot.set(slot);
    this.squares = squares;
    this.count = count;
  }

  /** A start goes where those on both sides of it lie close together. The newest stays: every moment is considered once. */
  #thin(): void {
    const later = this.#later;
    let before = this.count;
    let kept = 0;
    for (let k = 0; k < later.length; k++) {
      const start = later[k]!;
      const after = later[k + 1];
      if (after !== undefined && before <= SPACING * this.countSince(after)) {
        this.#spare.push(start);
        continue;
      }
      later[kept++] = start;
      before = this.countSince(start);
    }
    later.length = kept;
  }

  write(out: Writer): void {
    for (const value of [this.era, this.#errors, this.#second, this.#fourth]) out.f64(value);
    this.#rewards.write(out);
    out.f64s(this.slot);
    for (const value of [this.squares, this.count, this.worst, this.tested]) out.f64(value);
    out.u32(this.#later.length);
    for (const start of this.#later) start.write(out);
  }

  read(from: Reader): void {
    this.era = from.f64("own");
    this.#errors = from.f64("own");
    this.#second = from.f64("own");
    this.#fourth = from.f64("own");
    this.#rewards.read(from);
    from.f64s("own", this.slot);
    this.squares = from.f64("own");
    this.count = from.f64("own");
    this.worst = from.f64("own");
    this.tested = from.f64("own");
    const size = from.u32("own");
    this.#later = [];
    for (let k = 0; k < size; k++) this.#later.push(new Start(this.dimension).read(from));
  }
}
