// What a peer knows, kept as "which observation counts how often" and turned into sums only when they are asked for.
import { apply, identity, inverse, type Matrix, outer, plus, type Vector, zeros } from "./dense.ts";

export interface Observation {
  peer: number;
  round: number;
  arm: Vector;
  reward: number;
}

/** Stands for the ridge I, which may be buffered, mixed and promoted after a reset like an observation. */
export const RIDGE = "ridge";

export type Evidence = ReadonlyMap<Observation | typeof RIDGE, number>;

export const nothing: Evidence = new Map();

export const ridge: Evidence = new Map([[RIDGE, 1]]);

/** Every given observation, once. */
export const once = (observations: Observation[]): Evidence => new Map(observations.map((seen) => [seen, 1]));

/** Σ weight · part. */
export function combine(parts: [part: Evidence, weight: number][]): Evidence {
  const sum = new Map<Observation | typeof RIDGE, number>();
  for (const [part, weight] of parts) {
    for (const [item, share] of part) sum.set(item, (sum.get(item) ?? 0) + weight * share);
  }
  return sum;
}

/** I and every given observation, once. */
export const withRidge = (observations: Observation[]): Evidence =>
  combine([
    [ridge, 1],
    [once(observations), 1],
  ]);

export interface Pair {
  gram: Matrix;
  moment: Vector;
}

/** gram = Σ w x xᵀ (d×d), moment = Σ w r x (d); the ridge is w I in the gram alone. */
export function pairOf(evidence: Evidence, dimension: number): Pair {
  let gram = zeros(dimension, dimension);
  let moment = zeros(1, dimension);
  for (const [item, weight] of evidence) {
    if (item === RIDGE) {
      gram = plus(gram, identity(dimension), weight);
    } else {
      gram = plus(gram, outer(item.arm, item.arm), weight);
      moment = plus(moment, [item.arm], weight * item.reward);
    }
  }
  return { gram, moment: moment[0] };
}

/** θ̂ = A⁻¹ b. */
export const estimate = ({ gram, moment }: Pair): Vector => apply(inverse(gram), moment);
