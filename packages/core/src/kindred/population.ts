import type { Reader, Writer } from "../numbers/bytes.ts";
import { Factor } from "../numbers/factor.ts";
import { addIdentity, traceOf, triangleSize } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import type { Work } from "../work.ts";
import { Components } from "./components.ts";
import type { CovarianceShape } from "./covarianceShape.ts";
import { Evidence } from "./evidence.ts";
import { Information } from "./information.ts";
import { LowRank } from "./lowRank.ts";
import { hunch, MarginalLikelihood } from "./marginalLikelihood.ts";
import { Noises } from "./noises.ts";
import { Prior } from "./prior.ts";
import type { Sums } from "./record.ts";
import { Relevance } from "./relevance.ts";

/** The grids on which λ and g move in a step: by this factor either way, or not at all. */
const STEP = 0.6;
/** Records that a step of λ looks at: all would cost too much for one round. */
const SAMPLE = 32;
/** Where g starts: μ may well lie three standard errors from 0. */
const REACH = 10;

/** What a θ is taken for before anything is seen of it, and the noise σ² of what is seen. */
export interface Model {
  readonly prior: Prior;
  readonly noise: number;
}

/**
 * What θ are like before anything is known of them: θ ~ N(μ, B), noise σ², learnt from records by empirical Bayes; so
 * θ ~ N(μ̂, B + C) with C what is not known of μ. B is b I, or where records speak for it b I and a few components
 * (`LowRank`), or has a variance of its own for each feature (`Relevance`): the one for which they speak most. Each peer fits
 * its own, from its own view. Scale-free: all starts from r̄², the mean square of the rewards seen.
 *
 * Where records say Σ J of μ (`Information`), μ ~ N(0, (Σ J / g + (2/r̄²) I)⁻¹): Zellner's g-prior, with a ridge for what nobody
 * has looked at. g is learnt too. It tells a mean from noise that many share, and shrinks what is known well by the same
 * share in every direction; one variance for all directions would shrink the few that matter most where features go
 * together.
 */
export class Population implements Model {
  readonly mean: Float64Array;
  /** N(μ̂, B + C). */
  readonly prior: Prior;
  /** σ². */
  noise = 1;
  /**
   * N(μ̂, b₀ I + C) and its σ² and λ, and how well the records fit that: the best where all directions are alike. Groups are
   * made by it. Where there are clusters their few θ always lie in a few directions; a prior that is narrow elsewhere
   * because of them takes pieces of a cluster for clusters.
   */
  readonly even: Model & {
    readonly shape: CovarianceShape;
    readonly prior: Prior;
    noise: number;
    ridge: number;
    value: number;
  };
  /** How σ² differs from peer to peer. */
  readonly noises = new Noises();
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
  readonly #likelihood: MarginalLikelihood;
  readonly #lowRank: LowRank;
  readonly #relevance: Relevance;
  readonly #information: Information;
  readonly #evidence: Evidence;
  /** θ ~ N(μ, b I), for a λ that is tried. */
  readonly #tried: Prior;
  /** What μ is before records say anything of it, for a g that is tried. */
  readonly #triedMean: Prior;
  readonly #inverse: Float64Array;
  readonly #precision: Float64Array;
  readonly #factor: Factor;

  constructor(
    readonly dimension: number,
    /** Whether θ may differ more in some directions, and more in some features, than in others. */
    readonly may: { readonly components?: boolean; readonly relevance?: boolean } = {},
  ) {
    this.mean = sharedNumbers(dimension);
    this.prior = new Prior(this.mean);
    this.even = { shape: new Components(dimension, 0), prior: new Prior(this.mean), ridge: 1, noise: 1, value: 0 };
    this.#likelihood = new MarginalLikelihood(dimension);
    this.#lowRank = new LowRank(this.mean);
    this.#relevance = new Relevance(this.mean);
    this.#information = new Information(dimension);
    this.#evidence = new Evidence(dimension);
    this.#tried = new Prior(this.mean);
    this.#triedMean = new Prior(sharedNumbers(dimension));
    this.#inverse = sharedNumbers(triangleSize(dimension));
    this.#precision = sharedNumbers(triangleSize(dimension));
    this.#factor = new Factor(dimension);
  }

  /**
   * By which one's own θ is judged to be one of `kinds` that are known, or another one. The θ of a few clusters always lie in
   * a few directions; that says nothing of a θ that is none of them.
   */
  model(kinds: number): Model {
    return !this.shape.even && this.shape.suits(kinds) ? this : this.even;
  }

  /** Whether `model` is the population's own, to the bit: the even one is where nothing speaks for another. */
  is(model: Model): boolean {
    return model === this || this.shape.even;
  }

  /** B / b. */
  get shape(): CovarianceShape {
    return this.#fitted.shape;
  }

  /** The shape that gains most, with its λ and σ². */
  get #fitted(): Pick<Population, "shape" | "ridge" | "noise"> {
    if (this.#relevance.gain > this.#lowRank.gain) return this.#relevance;
    return this.#lowRank.gain > 0 ? this.#lowRank : this.even;
  }

  /** Mean variance of a θ, tr B / d. */
  get variance(): number {
    return this.shape.spread * (this.noise / this.ridge);
  }

  /** σ² over the mean variance of a θ of which nothing is known, tr B / d + doubt. */
  get lambda(): number {
    return this.noise / (this.variance + this.doubt);
  }

  /** The share of the mean square of a θ, (|μ̂|² + tr B)/d + doubt, that is not known where S is `seen` in every direction. */
  left(seen: number): number {
    const { noise, dimension: d, doubt } = this;
    const square = this.mean.reduce((sum, value) => sum + value * value, 0) / d + noise / this.lambda;
    const unknown = (variance: number): number => (variance * noise) / (noise + seen * variance);
    const b = noise / this.ridge;
    let left = unknown(b + doubt);
    for (const excess of this.shape.excesses) left += (unknown(b * (1 + excess) + doubt) - unknown(b + doubt)) / d;
    return left / square;
  }

  /** At most `steps` moves of λ and σ², and of g; then μ. No record counts for more than `most` observations of noise. */
  *fitting(records: readonly Sums[], steps: number, most = Infinity): Work {
    let count = 0;
    let squares = 0;
    for (const record of records) {
      count += record.count;
      squares += record.squares;
    }
    if (count === 0 || !(squares > 0)) return;
    const scale = squares / count;
    this.#scale = scale;
    if (records.length > SAMPLE) this.#turn = (this.#turn + SAMPLE) % records.length;
    this.#likelihood.take(this.#sample(records, 0), this.mean, most, scale);
    yield* this.#fitRidge(steps);
    const before = [this.#sample(records, 2), this.#sample(records, 1)] as const;
    if (this.may.components ?? true) yield* this.#lowRank.fitting(before, this.#likelihood, records.length, this.even);
    if (this.may.relevance ?? true)
      yield* this.#relevance.fitting(before[1], this.#likelihood, records.length, this.even);
    const { shape, noise, ridge } = this.#fitted;
    this.ridge = ridge;
    this.noise = noise;
    yield* this.#information.summing(records, shape, noise / ridge, ridge);
    yield* this.#fitReach(steps);
    this.#fitMean();
  }

  /** At most SAMPLE of the records: this time's for `back` 0, last time's for 1, and so on. */
  #sample(records: readonly Sums[], back: number): readonly Sums[] {
    const all = records.length;
    if (all <= SAMPLE) return records;
    const from = this.#turn + all * back - SAMPLE * back;
    const sample: Sums[] = [];
    for (let k = 0; k < SAMPLE; k++) sample.push(records[(from + k) % all]!);
    return sample;
  }

  /** At most `steps` on a grid of λ under the marginal likelihood, B = b I. */
  *#fitRidge(steps: number): Work {
    const even = this.even;
    const valueAt = (ridge: number): number => this.#likelihood.of(this.#tried.setEven(ridge), ridge);
    yield* climb(steps, even.ridge, valueAt, (ridge, value) => {
      even.value = value;
      even.ridge = Math.min(Math.max(ridge, 1e-6), 1e9);
      even.noise = Math.max(this.#likelihood.noise, 1e-12);
    });
  }

  /** At most `steps` on a grid of g: its evidence is that of sums (Σ J, Σ h) with noise 1. */
  *#fitReach(steps: number): Work {
    const valueAt = (tried: number): number => {
      this.#triedMean.setRidge(this.#share(1 / tried));
      return this.#evidence.of(this.#information.slot, this.#triedMean, 1) + hunch(tried, REACH, 4);
    };
    yield* climb(steps, this.#reach, valueAt, (tried) => {
      this.#reach = Math.min(Math.max(tried, 1e-3), 1e6);
    });
  }

  /** share · Σ J + (2/r̄²) I. */
  #share(share: number): Float64Array {
    const precision = this.#precision;
    for (let k = 0; k < precision.length; k++) precision[k] = share * this.#information.slot[k]!;
    addIdentity(precision, 0, this.dimension, 2 / this.#scale);
    return precision;
  }

  /** μ̂ = C Σ h, C = ((1 + 1/g) Σ J + (2/r̄²) I)⁻¹, and the prior of a θ. */
  #fitMean(): void {
    const d = this.dimension;
    if (!this.#factor.refactor(this.#share(1 + 1 / this.#reach), 0, 0)) return;
    this.#factor.solve(this.mean, this.#information.slot, triangleSize(d));
    this.#factor.invert(this.#inverse);
    this.doubt = traceOf(this.#inverse, d) / d;
    const variance = this.noise / this.ridge;
    this.even.prior.setWide(this.#inverse, this.even.noise / this.even.ridge, this.even.noise);
    if (this.shape.even) {
      // λ and σ² are those of the even model then.
      this.prior.setAs(this.even.prior);
      return;
    }
    this.shape.addTo(this.#inverse, variance);
    this.prior.setWide(this.#inverse, variance, this.noise);
  }

  write(out: Writer): void {
    out.f64s(this.mean);
    out.f64s(this.prior.ridge);
    for (const value of [this.noise, this.ridge, this.doubt, this.#reach, this.#scale, this.#turn]) out.f64(value);
    out.f64s(this.even.prior.ridge);
    for (const value of [this.even.ridge, this.even.noise]) out.f64(value);
    this.#lowRank.write(out);
    this.#relevance.write(out);
    this.noises.write(out);
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
    from.f64s("population", this.#inverse);
    this.even.prior.setRidge(this.#inverse);
    this.even.ridge = from.f64("population");
    this.even.noise = from.f64("population");
    this.#lowRank.read(from);
    this.#relevance.read(from);
    this.noises.read(from);
  }
}

/**
 * Up to `steps` on a grid from `from`, each to where the value is higher; `take` is told of every better one as it is found. Whoever
 * has gone one way does not look back: it comes from there.
 */
function* climb(
  steps: number,
  from: number,
  valueAt: (at: number) => number,
  take: (at: number, value: number) => void,
): Work {
  let best = valueAt(from);
  if (Number.isNaN(best)) best = -Infinity;
  take(from, best);
  let at = from;
  let ways: readonly number[] = [STEP, 1 / STEP];
  for (let step = 0; step < steps; step++) {
    let way = 0;
    for (const factor of ways) {
      yield;
      const value = valueAt(at * factor);
      if (!(value > best)) continue;
      best = value;
      way = factor;
      take(at * factor, value);
    }
    if (way === 0) return;
    at *= way;
    ways = [way];
  }
}
