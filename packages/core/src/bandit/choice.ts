import { ConfigError } from "../errors.ts";
import { accelerator } from "../numbers/accelerator.ts";
import type { Random } from "../numbers/random.ts";
import { oneOf } from "../options.ts";
import type { Arms } from "./arms.ts";
import type { Ball } from "./ball.ts";
import { Measured } from "./measured.ts";
import { type Radius, radiusAt } from "./radius.ts";

/** How an arm is picked from a ball: by its upper edge, or by a draw from it. */
export type ChoiceRule = "optimistic" | "thompson";

export const parseChoice = (field: string, value: unknown): ChoiceRule =>
  value === undefined ? "optimistic" : oneOf(field, value, ["optimistic", "thompson"]);

/** The probability of the arm that is picked so: 1, or one that nobody computes. */
export const propensityOf = (choice: ChoiceRule): "certain" | "unknown" =>
  choice === "thompson" ? "unknown" : "certain";

/** Arms per block: four chains of additions that do not wait for one another. */
const LANES = 4;

/** Picks arms from a ball; owns the scratch space for it, so that choosing allocates nothing. */
export class Chooser {
  readonly #solved: Float64Array;
  readonly #draw: Float64Array;
  readonly #measured: Measured;
  #perArm = new Float64Array(0);

  constructor(readonly dimension: number) {
    this.#solved = new Float64Array(dimension * LANES);
    this.#draw = new Float64Array(dimension);
    this.#measured = new Measured(dimension);
  }

  pick(choice: ChoiceRule, ball: Ball, radius: number, arms: Arms, random: Random | undefined): number {
    if (choice === "optimistic") {
      const faster = accelerator();
      if (faster === null || arms.count * this.dimension < faster.leastNumbers) {
        return this.#optimistic(ball, radius, arms);
      }
      const { lower, reciprocal } = ball.factor;
      return faster.optimistic(this.dimension, lower, reciprocal, ball.estimate, radius, arms.values, arms.count);
    }
    return this.#thompson(ball, radius, arms, expectRandom(random));
  }

  /** out[k] = the score of arm k, of which `pick` takes the first of the highest. */
  score(
    choice: ChoiceRule,
    ball: Ball,
    radius: number,
    arms: Arms,
    random: Random | undefined,
    out: Float64Array,
  ): void {
    const { count } = arms;
    if (choice === "thompson") {
      this.#means(arms, this.#drawn(ball, radius, expectRandom(random)), out);
      return;
    }
    if (this.#perArm.length < count) this.#perArm = new Float64Array(count);
    this.#measured.take(arms);
    this.#measured.by(ball.factor, ball.estimate, out, this.#perArm);
    for (let arm = 0; arm < count; arm++) out[arm]! += radius * Math.sqrt(this.#perArm[arm]!);
  }

  /** ρ √(xᵀA⁻¹x): what the optimistic choice adds to the mean of an arm, and the deviation of what thompson draws. */
  spread(ball: Ball, radius: Radius, round: number, vectors: Float64Array, from: number): number {
    return radiusAt(radius, round, ball.factor) * Math.sqrt(ball.factor.quadratic(vectors, from, this.#solved));
  }

  /** argmax x·θ̂ + ρ √(xᵀA⁻¹x) = x·θ̂ + ρ ‖L⁻¹x‖; ties go to the lowest index. */
  #optimistic(ball: Ball, radius: number, arms: Arms): number {
    const { dimension: d } = this;
    const { lower, reciprocal } = ball.factor;
    const { estimate } = ball;
    const { values, count } = arms;
    const solved = this.#solved;
    let best = 0;
    let bestScore = -Infinity;
    for (let first = 0; first < count; first += LANES) {
      // The last block repeats its last arm in the lanes left over: a tie with itself, which changes nothing.
      const a = first * d;
      const b = Math.min(first + 1, count - 1) * d;
      const c = Math.min(first + 2, count - 1) * d;
      const e = Math.min(first + 3, count - 1) * d;
      let meanA = 0;
      let meanB = 0;
      let meanC = 0;
      let meanE = 0;
      let squareA = 0;
      let squareB = 0;
      let squareC = 0;
      let squareE = 0;
      for (let i = 0, row = 0; i < d; row += i + 1, i++) {
        let sumA = values[a + i]!;
        let sumB = values[b + i]!;
        let sumC = values[c + i]!;
        let sumE = values[e + i]!;
        const theta = estimate[i]!;
        meanA += sumA * theta;
        meanB += sumB * theta;
        meanC += sumC * theta;
        meanE += sumE * theta;
        for (let j = 0, at = 0; j < i; j++, at += LANES) {
          const l = lower[row + j]!;
          sumA -= l * solved[at]!;
          sumB -= l * solved[at + 1]!;
          sumC -= l * solved[at + 2]!;
          sumE -= l * solved[at + 3]!;
        }
        const r = reciprocal[i]!;
        const at = i * LANES;
        sumA *= r;
        sumB *= r;
        sumC *= r;
        sumE *= r;
        solved[at] = sumA;
        solved[at + 1] = sumB;
        solved[at + 2] = sumC;
        solved[at + 3] = sumE;
        squareA += sumA * sumA;
        squareB += sumB * sumB;
        squareC += sumC * sumC;
        squareE += sumE * sumE;
      }
      const scoreA = meanA + radius * Math.sqrt(squareA);
      const scoreB = meanB + radius * Math.sqrt(squareB);
      const scoreC = meanC + radius * Math.sqrt(squareC);
      const scoreE = meanE + radius * Math.sqrt(squareE);
      if (scoreA > bestScore) {
        bestScore = scoreA;
        best = first;
      }
      if (scoreB > bestScore) {
        bestScore = scoreB;
        best = first + 1;
      }
      if (scoreC > bestScore) {
        bestScore = scoreC;
        best = first + 2;
      }
      if (scoreE > bestScore) {
        bestScore = scoreE;
        best = first + 3;
      }
    }
    return best;
  }

  /** θ' = θ̂ + ρ L⁻ᵀz ~ N(θ̂, ρ²A⁻¹), z standard normal. */
  #drawn(ball: Ball, radius: number, random: Random): Float64Array {
    const theta = random.normals(this.#draw);
    ball.factor.backward(theta, theta);
    for (let i = 0; i < this.dimension; i++) theta[i] = ball.estimate[i]! + radius * theta[i]!;
    return theta;
  }

  /** argmax x·θ', θ' drawn. */
  #thompson(ball: Ball, radius: number, arms: Arms, random: Random): number {
    if (this.#perArm.length < arms.count) this.#perArm = new Float64Array(arms.count);
    const scores = this.#perArm;
    this.#means(arms, this.#drawn(ball, radius, random), scores);
    let best = 0;
    for (let arm = 1; arm < arms.count; arm++) if (scores[arm]! > scores[best]!) best = arm;
    return best;
  }

  /** out[k] = x·θ of arm k. */
  #means({ count, values }: Arms, theta: Float64Array, out: Float64Array): void {
    for (let arm = 0, at = 0; arm < count; arm++) {
      let sum = 0;
      for (let i = 0; i < this.dimension; i++) sum += values[at++]! * theta[i]!;
      out[arm] = sum;
    }
  }
}

export function expectRandom(random: Random | undefined): Random {
  if (random === undefined) throw new ConfigError("random", random, "be given if the choice is thompson");
  return random;
}
