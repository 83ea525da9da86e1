import type { Arms } from "../bandit/arms.ts";
import { Measured } from "../bandit/measured.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { exp } from "../numbers/exp.ts";
import { Factor } from "../numbers/factor.ts";
import { ln } from "../numbers/ln.ts";
import { addObservation, slotSize, triangleSize } from "../numbers/packed.ts";
import type { Random } from "../numbers/random.ts";
import { roomOf } from "../numbers/room.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import { bonusOf, type Explored, type Others } from "./bonus.ts";
import { shift } from "./evidence.ts";
import type { Prior } from "./prior.ts";
import { gaussian, type RewardLikelihood } from "./rewardLikelihood.ts";

/** One way in which my θ may have come about: its chance, and the Gaussian posterior it gives. */
interface Part {
  chance: number;
  noise: number;
  /** What an own observation counts for: σ_k² over the noise of own rewards. */
  weight: number;
  readonly factor: Factor;
  readonly mean: Float64Array;
}

interface Room {
  /** Sums of the part that is added, and its A. */
  readonly sums: Float64Array;
  readonly precision: Float64Array;
  readonly work: Float64Array;
  readonly solved: Float64Array;
  readonly measured: Measured;
}

const makeRoom = (dimension: number): Room => ({
  sums: new Float64Array(slotSize(dimension)),
  precision: new Float64Array(triangleSize(dimension)),
  work: new Float64Array(dimension),
  solved: new Float64Array(dimension),
  measured: new Measured(dimension),
});

/** Of each arm of a menu: the mean, the leverage; by one part the mean and xᵀA⁻¹x; the variance. */
const menuOf = (arms: number) => ({
  means: new Float64Array(arms),
  leverages: new Float64Array(arms),
  centres: new Float64Array(arms),
  squares: new Float64Array(arms),
  variances: new Float64Array(arms),
});

/** Room for a menu, whoever chooses; its scores apart, because whoever asks for those lends room of its own. */
let menu = menuOf(0);
let scores = new Float64Array(0);

/**
 * What a peer believes of its θ: a mixture of Gaussians N(m_k, σ_k² A_k⁻¹) with chances p_k, so that for an arm x
 *
 *     mean = x·m,  m = Σ p_k m_k,        variance = Σ p_k (σ_k² xᵀA_k⁻¹x + (x·m_k − x·m)²)
 */
export class Posterior {
  readonly mean: Float64Array;
  /** Sums behind the likeliest part. */
  readonly pool: Float64Array;
  readonly #parts: Part[] = [];
  readonly #room: Room;
  /** Σ p_k S_k of the parts, and the factor of that + I: how much was seen of each direction. */
  readonly #seen: Float64Array;
  readonly #leverage: Factor;
  /** Observations behind `#seen`. */
  #count = 0;
  /** The share of choices whose arm was chosen before (repeats.ts): only where menus repeat can an arm be neglected. */
  repeated = 1;
  others: Others = { records: 0, ridge: 1 };
  /** Of own rewards. */
  likelihood: RewardLikelihood = gaussian;
  /** How many directions `#seen` is about: tr S(S + I)⁻¹; all where menus did not repeat, as then nobody asks. */
  #directions = 1;
  /** σ² of the mixture. */
  #noise = 1;
  /** The weight of an own observation in the mixture. */
  #weight = 1;
  #used = 0;
  #likeliest = 0;

  constructor(readonly dimension: number) {
    this.mean = sharedNumbers(dimension);
    this.pool = sharedNumbers(slotSize(dimension));
    this.#room = roomOf(dimension, makeRoom);
    this.#seen = sharedNumbers(triangleSize(dimension));
    this.#leverage = new Factor(dimension);
  }

  clear(): void {
    this.#used = 0;
    this.#likeliest = 0;
    this.#seen.fill(0);
  }

  /** A part: A = S + R, m = μ + A⁻¹(v − Sμ), with (S, v) = weight · own + borrowed. */
  add(chance: number, own: Float64Array, borrowed: Float64Array | null, prior: Prior, noise: number, weight = 1): void {
    const d = this.dimension;
    const part = this.#next();
    part.chance = chance;
    part.noise = noise;
    part.weight = weight;
    const { sums, precision, work } = this.#room;
    const seen = this.#seen;
    if (borrowed === null) for (let k = 0; k < sums.length; k++) sums[k] = weight * own[k]!;
    else for (let k = 0; k < sums.length; k++) sums[k] = weight * own[k]! + borrowed[k]!;
    const { mean, ridge } = prior;
    for (let k = 0; k < ridge.length; k++) precision[k] = sums[k]! + ridge[k]!;
    if (!part.factor.refactor(precision, 0, 0)) {
      // Sums that nobody can have seen say nothing.
      this.#used -= 1;
      return;
    }
    shift(work, sums, mean, d);
    part.factor.solve(part.mean, work);
    for (let i = 0; i < d; i++) part.mean[i]! += mean[i]!;
    for (let k = 0; k < seen.length; k++) seen[k]! += chance * sums[k]!;
    if (chance <= this.#likeliest) return;
    this.#likeliest = chance;
    this.pool.set(sums);
  }

  /** All parts are in: chances to sum 1, the mean of the whole, and what `count` observations have seen. */
  finish(count: number): void {
    const seen = this.#seen;
    const kept = this.#average();
    this.#count = count;
    for (let k = 0; k < seen.length; k++) seen[k]! /= kept;
    this.#leverage.refactor(seen, 0, 1);
    this.#directions = this.dimension;
    if (this.repeated > 0) this.#directions -= this.#leverage.inverseTrace(this.#room.work);
  }

  /**
   * One more observation (x, r), x = values[at .. at+d): Bayes' rule for each part, in 3d² operations. With q = xᵀA⁻¹x and
   * e = r − x·m, the part's chance is multiplied by the density of r, N(x·m, σ²(1/w + q)), then m += A⁻¹x e/(1/w + q) and
   * A += w x xᵀ.
   */
  observe(values: Float64Array, at: number, reward: number): void {
    const d = this.dimension;
    const { work, solved: room } = this.#room;
    const logs: number[] = [];
    let top = -Infinity;
    for (let k = 0; k < this.#used; k++) {
      const { noise, weight, factor, mean } = this.#parts[k]!;
      const solved = factor.forward(room, values, at);
      let quadratic = 1 / weight;
      for (let i = 0; i < d; i++) quadratic += solved[i]! * solved[i]!;
      const error = reward - dot(values, at, mean);
      const log = -0.5 * ((error * error) / (noise * quadratic) + ln(noise * quadratic));
      if (log > top) top = log;
      logs.push(log);
      const gain = factor.backward(solved, solved);
      for (let i = 0; i < d; i++) mean[i]! += (gain[i]! * error) / quadratic;
      factor.update(scaled(work, values, at, Math.sqrt(weight)));
    }
    for (let k = 0; k < this.#used; k++) this.#parts[k]!.chance *= exp(logs[k]! - top);
    this.#average();
    addObservation(this.pool, 0, d, values, at, reward);
    this.#leverage.update(scaled(work, values, at, Math.sqrt(this.#weight)));
    this.#count += this.#weight;
  }

  /** Chances to sum 1, and the mean and noise of the whole. What they summed up to. */
  #average(): number {
    this.mean.fill(0);
    this.#noise = 0;
    this.#weight = 0;
    let kept = 0;
    for (let k = 0; k < this.#used; k++) kept += this.#parts[k]!.chance;
    for (let k = 0; k < this.#used; k++) {
      const part = this.#parts[k]!;
      part.chance /= kept;
      this.#noise += part.chance * part.noise;
      this.#weight += part.chance * part.weight;
      for (let i = 0; i < this.dimension; i++) this.mean[i]! += part.chance * part.mean[i]!;
    }
    return kept;
  }

  /** The arm with the highest upper confidence bound; the first of equals. */
  choose(arms: Arms, explore: number): number {
    if (scores.length < arms.count) scores = new Float64Array(arms.count);
    this.score(arms, explore, scores);
    let best = 0;
    for (let arm = 1; arm < arms.count; arm++) if (scores[arm]! > scores[best]!) best = arm;
    return best;
  }

  /** out[k] = the upper confidence bound of arm k. */
  score(arms: Arms, explore: number, out: Float64Array): void {
    const { count } = arms;
    if (menu.means.length < count) menu = menuOf(count);
    const { means, leverages, centres, squares, variances } = menu;
    const { measured } = this.#room;
    measured.take(arms);
    measured.by(this.#leverage, this.mean, means, leverages);
    variances.fill(0, 0, count);
    for (let k = 0; k < this.#used; k++) {
      const { chance, noise, factor, mean } = this.#parts[k]!;
      measured.by(factor, mean, centres, squares);
      for (let arm = 0; arm < count; arm++) {
        const off = centres[arm]! - means[arm]!;
        variances[arm]! += chance * (noise * squares[arm]! + off * off);
      }
    }
    const explored = this.#explored();
    for (let arm = 0; arm < count; arm++) {
      const [mean, deviation] = [means[arm]!, Math.sqrt(variances[arm]!)];
      const square = squareOf(arms.values, arm * this.dimension, this.dimension);
      out[arm] = mean + bonusOf(explored, mean, deviation, leverages[arm]!, explore, count, square);
    }
  }

  /** What is added to the mean of an arm x = values[at .. at+d) in a choice among `arms` (bonus.ts). */
  bonus(values: Float64Array, at: number, explore: number, arms: number, mean = dot(values, at, this.mean)): number {
    const deviation = this.deviation(values, at, mean);
    const leverage = this.#leverage.quadratic(values, at, this.#room.work);
    const square = squareOf(values, at, this.dimension);
    return bonusOf(this.#explored(), mean, deviation, leverage, explore, arms, square);
  }

  #explored(): Explored {
    const { repeated, others, likelihood } = this;
    return { count: this.#count, directions: this.#directions, noise: this.#noise, repeated, others, likelihood };
  }

  /** The mean of x·θ, x = values[at .. at+d). */
  expected(values: Float64Array, at: number): number {
    return dot(values, at, this.mean);
  }

  /** The standard deviation of x·θ, x = values[at .. at+d), where its mean is given. */
  deviation(values: Float64Array, at: number, mean = dot(values, at, this.mean)): number {
    const { work } = this.#room;
    let variance = 0;
    for (let k = 0; k < this.#used; k++) {
      const { chance, noise, factor, mean: centre } = this.#parts[k]!;
      const off = dot(values, at, centre) - mean;
      variance += chance * (noise * factor.quadratic(values, at, work) + off * off);
    }
    return Math.sqrt(variance);
  }

  /** The arm with the largest x·θ, θ drawn. */
  draw(arms: Arms, explore: number, random: Random): number {
    const theta = this.#drawn(explore, random);
    let best = 0;
    for (let arm = 1; arm < arms.count; arm++) {
      if (dot(arms.values, arm * this.dimension, theta) > dot(arms.values, best * this.dimension, theta)) best = arm;
    }
    return best;
  }

  /** out[k] = x·θ of arm k, θ drawn once for all. */
  drawScores(arms: Arms, explore: number, random: Random, out: Float64Array): void {
    const theta = this.#drawn(explore, random);
    for (let arm = 0; arm < arms.count; arm++) out[arm] = dot(arms.values, arm * this.dimension, theta);
  }

  /** A draw of θ: a part by its chance, then N(m_k, explore² σ_k² A_k⁻¹). */
  #drawn(explore: number, random: Random): Float64Array {
    let left = random.uniform();
    let k = 0;
    while (k < this.#used - 1 && left >= this.#parts[k]!.chance) {
      left -= this.#parts[k]!.chance;
      k += 1;
    }
    const { noise, factor, mean } = this.#parts[k]!;
    const { work } = this.#room;
    const theta = factor.backward(work, random.normals(work));
    const scale = explore * Math.sqrt(noise);
    for (let i = 0; i < this.dimension; i++) theta[i] = mean[i]! + scale * theta[i]!;
    return theta;
  }

  /** As it is: between two closes it stands, whatever is observed or taken in meanwhile. */
  write(out: Writer): void {
    out.f64s(this.mean);
    out.f64s(this.pool);
    for (const value of [this.#count, this.#directions, this.#noise, this.#weight]) out.f64(value);
    out.f64s(this.#leverage.lower);
    out.f64s(this.#leverage.reciprocal);
    out.u32(this.#used);
    for (const { chance, noise, weight, factor, mean } of this.#parts.slice(0, this.#used)) {
      out.f64(chance);
      out.f64(noise);
      out.f64(weight);
      out.f64s(factor.lower);
      out.f64s(factor.reciprocal);
      out.f64s(mean);
    }
  }

  read(from: Reader): void {
    from.f64s("posterior", this.mean);
    from.f64s("posterior", this.pool);
    this.#count = from.f64("posterior");
    this.#directions = from.f64("posterior");
    this.#noise = from.f64("posterior");
    this.#weight = from.f64("posterior");
    from.f64s("posterior", this.#leverage.lower);
    from.f64s("posterior", this.#leverage.reciprocal);
    const parts = from.u32("posterior");
    this.clear();
    for (let k = 0; k < parts; k++) {
      const chance = from.f64("posterior");
      const part = this.#next();
      part.chance = chance;
      part.noise = from.f64("posterior");
      part.weight = from.f64("posterior");
      from.f64s("posterior", part.factor.lower);
      from.f64s("posterior", part.factor.reciprocal);
      from.f64s("posterior", part.mean);
    }
  }

  #next(): Part {
    if (this.#used === this.#parts.length) {
      const d = this.dimension;
      this.#parts.push({ chance: 0, noise: 0, weight: 1, factor: new Factor(d), mean: sharedNumbers(d) });
    }
    this.#used += 1;
    return this.#parts[this.#used - 1]!;
  }
}

/** out = scale · values[at .. at+d). */
function scaled(out: Float64Array, values: Float64Array, at: number, scale: number): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = scale * values[at + i]!;
  return out;
}

function dot(values: Float64Array, from: number, vector: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += values[from + i]! * vector[i]!;
  return sum;
}

/** |x|² of x = values[from .. from+d). */
function squareOf(values: Float64Array, from: number, dimension: number): number {
  let sum = 0;
  for (let i = 0; i < dimension; i++) sum += values[from + i]! * values[from + i]!;
  return sum;
}
