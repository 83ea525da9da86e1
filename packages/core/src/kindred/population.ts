import type { Reader, Writer } from "../numbers/bytes.ts";
import { Factor } from "../numbers/factor.ts";
import { ln } from "../numbers/ln.ts";
import { addIdentity, addScaled, slotSize, traceOf, triangleSize } from "../numbers/packed.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import { Prior } from "./prior.ts";
import type { Sums } from "./record.ts";

/** Pseudo-observations behind the prior of σ². */
const NOISE_WEIGHT = 2;
/** The grids on which λ and g move in a step: stay, or by this factor either way. */
const STEPS = [1, 0.6, 1 / 0.6];
/** Records that a step of λ looks at: all would cost too much for one round. */
const SAMPLE = 32;
/** Where g starts: μ may well lie three standard errors from 0. */
const REACH = 10;

/**
 * What θ are like before anything is known of them: θ ~ N(μ, b I), noise σ², learnt from records by empirical Bayes; so
 * θ ~ N(μ̂, b I + C) with C what is not known of μ. Each peer fits its own, from its own view. Scale-free: all starts from
 * r̄², the mean square of the rewards seen.
 *
 * Where records say Σ J of μ (`#sumUp`), μ ~ N(0, (Σ J / g + (2/r̄²) I)⁻¹): Zellner's g-prior, with a ridge for what nobody
 * has looked at. g is learnt too. It tells a mean from noise that many share, and shrinks what is known well by the same
 * share in every direction; one variance for all directions would shrink the few that matter most where features go
 * together.
 */
export class Population {
  readonly mean: Float64Array;
  /** N(μ̂, b I + C). */
  readonly prior: Prior;
  /** σ². */
  noise = 1;
  /** λ = σ² / b. */
  ridge = 1;
  /** Mean variance of μ itself, tr C / d: how little is known of the mean. */
  doubt = 0;
  /** g. */
  #reach = REACH;
  /** Mean square of the rewards at the last fit; 0 before the first. */
  #scale = 0;
  /** Where the last sample of records began. */
  #turn = 0;
  readonly #evidence: Evidence;
  /** θ ~ N(μ, b I), for a λ that is tried. */
  readonly #tried: Prior;
  /** What μ is before records say anything of it, for a g that is tried. */
  readonly #triedMean: Prior;
  readonly #inverse: Float64Array;
  readonly #precision: Float64Array;
  /** Σ J and Σ h of all records (`#sumUp`), laid out as sums are. */
  readonly #whole: Float64Array;
  readonly #factor: Factor;
  readonly #column: Float64Array;

  constructor(readonly dimension: number) {
    this.mean = new Float64Array(dimension);
    this.prior = new Prior(this.mean);
    this.#evidence = new Evidence(dimension);
    this.#tried = new Prior(this.mean);
    this.#triedMean = new Prior(new Float64Array(dimension));
    this.#inverse = new Float64Array(triangleSize(dimension));
    this.#precision = new Float64Array(triangleSize(dimension));
    this.#whole = new Float64Array(slotSize(dimension));
    this.#factor = new Factor(dimension);
    this.#column = new Float64Array(dimension);
  }

  /** σ² over the mean variance of a θ of which nothing is known, b + doubt. */
  get lambda(): number {
    return this.noise / (this.noise / this.ridge + this.doubt);
  }

  /** The share of the mean square of a θ, |μ̂|²/d + b + doubt, that is not known where S is `seen` in every direction. */
  left(seen: number): number {
    const variance = this.noise / this.lambda;
    const square = this.mean.reduce((sum, value) => sum + value * value, 0) / this.dimension + variance;
    return (variance * this.noise) / (this.noise + seen * variance) / square;
  }

  /** At most `steps` moves of λ and σ², and of g; then μ. No record counts for more than `most` observations of noise. */
  fit(records: readonly Sums[], steps: number, most = Infinity): void {
    let count = 0;
    let squares = 0;
    for (const record of records) {
      count += record.count;
      squares += record.squares;
    }
    if (count === 0 || !(squares > 0)) return;
    const scale = squares / count;
    if (this.#scale === 0) this.noise = 0.5 * scale;
    this.#scale = scale;
    const some = this.#some(records);
    for (let step = 0; step < steps; step++) if (!this.#fitRidge(some, most)) break;
    this.#sumUp(records);
    for (let step = 0; step < steps; step++) if (!this.#fitReach()) break;
    this.#fitMean();
  }

  /** At most SAMPLE of the records, others each time. */
  #some(records: readonly Sums[]): readonly Sums[] {
    if (records.length <= SAMPLE) return records;
    this.#turn = (this.#turn + SAMPLE) % records.length;
    return Array.from({ length: SAMPLE }, (_, k) => records[(this.#turn + k) % records.length]!);
  }

  /** One step on a grid of λ under the marginal likelihood, σ² profiled out, and the hunch about b. True if it moved. */
  #fitRidge(records: readonly Sums[], most: number): boolean {
    const shares = records.map(({ count }) => Math.min(1, most / count));
    const count = records.reduce((sum, record, k) => sum + shares[k]! * record.count, 0);
    let best = -Infinity;
    let bestRidge = this.ridge;
    let bestNoise = this.noise;
    const residuals = records.map((record) => residualSquares(record.squares, record.slot, this.mean));
    for (const factor of STEPS) {
      const ridge = this.ridge * factor;
      const prior = this.#tried.setEven(ridge);
      let unexplained = 0;
      let logDeterminant = 0;
      for (let k = 0; k < records.length; k++) {
        this.#evidence.fit(records[k]!.slot, prior);
        // Sums that nobody can have seen; one of them must not decide for all.
        if (this.#evidence.logDeterminant === Infinity) continue;
        unexplained += shares[k]! * Math.max(0, residuals[k]! - this.#evidence.explained);
        logDeterminant += shares[k]! * this.#evidence.logDeterminant;
      }
      const noise = (unexplained + NOISE_WEIGHT * 0.25 * this.#scale) / (count + NOISE_WEIGHT);
      const about = hunch(noise / ridge, 0.5 * this.#scale, 2);
      const value = -0.5 * ((count + NOISE_WEIGHT) * ln(noise) + logDeterminant) + about;
      if (value > best) {
        best = value;
        bestRidge = ridge;
        bestNoise = noise;
      }
    }
    const moved = bestRidge !== this.ridge;
    this.ridge = Math.min(Math.max(bestRidge, 1e-6), 1e9);
    this.noise = Math.max(bestNoise, 1e-12);
    return moved;
  }

  /** What records say of μ: precision Σ J with J = (1/b)(I − λ(S + λI)⁻¹), information Σ h with h = (1/b)(S + λI)⁻¹v. */
  #sumUp(records: readonly Sums[]): void {
    const d = this.dimension;
    const [whole, triangle] = [this.#whole, triangleSize(d)];
    const variance = this.noise / this.ridge;
    whole.fill(0);
    let used = 0;
    for (const { slot } of records) {
      if (!this.#factor.refactor(slot, 0, this.ridge)) continue;
      this.#factor.solve(this.#column, slot, triangle);
      this.#factor.invert(this.#inverse);
      for (let i = 0; i < d; i++) whole[triangle + i]! += this.#column[i]! / variance;
      addScaled(whole, 0, this.#inverse, 0, triangle, 1);
      used += 1;
    }
    // So far it is Σ (S + λI)⁻¹.
    for (let k = 0; k < triangle; k++) whole[k]! *= -this.ridge / variance;
    addIdentity(whole, 0, d, used / variance);
  }

  /** One step on a grid of g: its evidence is that of sums (Σ J, Σ h) with noise 1. True if it moved. */
  #fitReach(): boolean {
    let best = -Infinity;
    let reach = this.#reach;
    for (const factor of STEPS) {
      const tried = this.#reach * factor;
      this.#triedMean.setRidge(this.#share(1 / tried));
      const value = this.#evidence.of(this.#whole, this.#triedMean, 1) + hunch(tried, REACH, 4);
      if (value <= best) continue;
      best = value;
      reach = tried;
    }
    const moved = reach !== this.#reach;
    this.#reach = Math.min(Math.max(reach, 1e-3), 1e6);
    return moved;
  }

  /** share · Σ J + (2/r̄²) I. */
  #share(share: number): Float64Array {
    const precision = this.#precision;
    for (let k = 0; k < precision.length; k++) precision[k] = share * this.#whole[k]!;
    addIdentity(precision, 0, this.dimension, 2 / this.#scale);
    return precision;
  }

  /** μ̂ = C Σ h, C = ((1 + 1/g) Σ J + (2/r̄²) I)⁻¹, and the prior of a θ. */
  #fitMean(): void {
    const d = this.dimension;
    if (!this.#factor.refactor(this.#share(1 + 1 / this.#reach), 0, 0)) return;
    this.#factor.solve(this.mean, this.#whole, triangleSize(d));
    this.#factor.invert(this.#inverse);
    this.doubt = traceOf(this.#inverse, d) / d;
    this.prior.setWide(this.#inverse, this.noise / this.ridge, this.noise);
  }

  write(out: Writer): void {
    out.f64s(this.mean);
    out.f64s(this.prior.ridge);
    for (const value of [this.noise, this.ridge, this.doubt, this.#reach, this.#scale, this.#turn]) out.f64(value);
  }

  read(from: Reader): void {
    from.f64s("population", this.mean);
    from.f64s("population", this.#inverse);
    this.prior.setRidge(this.#inverse);
    this.noise = from.f64("population");
    this.ridge = from.f64("population");
    this.doubt = from.f64("population");
    this.#reach = from.f64("population");
    this.#scale = from.f64("population");
    this.#turn = from.f64("population");
  }
}

/** ln of the prior of what is learnt on a grid: lognormal about `middle`, `width` the standard deviation of the logarithm. */
function hunch(value: number, middle: number, width: number): number {
  const off = ln(value / middle) / width;
  return -0.5 * off * off;
}
