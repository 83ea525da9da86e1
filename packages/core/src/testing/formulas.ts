// The formulas of the specification that need no state: radius, score, delay, threshold.
import { apply, cholesky, dot, inverse, logDeterminant, transpose, type Vector } from "./dense.ts";
import { estimate, type Pair } from "./evidence.ts";
import type { OracleRadius, OracleRound, OracleTrace } from "./oracle-trace.ts";

/** ρ. `time` is the round, for CLUB the number of this interaction. */
export function radiusOf(radius: OracleRadius, time: number, gram: number[][]): number {
  if (radius.kind === "practical") return radius.alpha * Math.sqrt(Math.log(time + 1));
  const logarithm = logDeterminant(gram) / 2 - Math.log(radius.delta);
  return radius.norm + (radius.weight ?? 1) * radius.noise * Math.sqrt(2 * logarithm);
}

/** The score of every arm offered to a peer that knows `pair`. */
export function scoresOf(trace: OracleTrace, pair: Pair, time: number, round: OracleRound, peer: number): number[] {
  const { radius, choice } = trace.parameters;
  const rho = radiusOf(radius, time, pair.gram);
  const centre = estimate(pair);
  const arms = round.arms[peer];
  if (choice === "thompson") {
    if (!round.normals) throw new Error("thompson needs the normals of every round");
    // θ' = θ̂ + ρ L⁻ᵀ z has covariance ρ² L⁻ᵀ L⁻¹ = ρ² A⁻¹.
    const deviation = apply(inverse(transpose(cholesky(pair.gram))), round.normals[peer]);
    const drawn = centre.map((value, k) => value + rho * deviation[k]);
    return arms.map((arm) => dot(arm, drawn));
  }
  const inverted = inverse(pair.gram);
  return arms.map((arm) => dot(arm, centre) + rho * Math.sqrt(dot(arm, apply(inverted, arm))));
}

/** The first of the largest. */
export const argmax = (scores: number[]): number => scores.indexOf(Math.max(...scores));

/** L(t), a real number. */
export function delayOf(trace: OracleTrace, t: number): number {
  const delay = trace.parameters.delay ?? { factor: 4, networkExponent: trace.algorithm === "dcb" ? 1.5 : 0 };
  if ("rounds" in delay) return delay.rounds;
  return delay.factor * (delay.networkExponent * Math.log2(trace.peers) + Math.log2(t));
}

export const distance = (x: Vector, y: Vector): number => Math.hypot(...x.map((value, k) => value - y[k]));

/** How far apart two estimates from `counts` own observations may be in round `t`. */
export function thresholdOf(trace: OracleTrace, t: number, counts: [number, number]): number {
  const threshold = trace.parameters.threshold ?? { kind: "practical", factor: 2 };
  if (threshold.kind === "practical") {
    const width = (n: number) => Math.sqrt((1 + Math.log(1 + n)) / (1 + n));
    return threshold.factor * (width(counts[0]) + width(counts[1]));
  }
  const { lambda, noise, delta } = threshold;
  const d = trace.dimension;
  const logarithm = Math.log((t + 3) / (delta / (4 * d)));
  const a = (lambda * t) / 4 - 8 * logarithm - 2 * Math.sqrt(t * logarithm);
  const reach = noise * Math.sqrt(2 * d * Math.log(t) + 2 * Math.log(2 / delta)) + 1;
  return reach / Math.sqrt(1 + Math.max(a, 0));
}
