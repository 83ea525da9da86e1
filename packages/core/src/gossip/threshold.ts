import { ln } from "../numbers/ln.ts";
import { atLeast, between, fields, join, oneOf } from "../options.ts";

/** How far apart two local estimates must lie for their peers to part. */
export type Threshold =
  | { readonly kind: "practical"; readonly factor: number }
  | { readonly kind: "theory"; readonly lambda: number; readonly noise: number; readonly delta: number };

export const DEFAULT_THRESHOLD: Threshold = { kind: "practical", factor: 2 };

export function parseThreshold(field: string, value: unknown): Threshold {
  if (value === undefined) return DEFAULT_THRESHOLD;
  const given = fields(field, value, ["kind", "factor", "lambda", "noise", "delta"]);
  const kind = oneOf(join(field, "kind"), given.kind, ["practical", "theory"]);
  if (kind === "practical") {
    fields(field, value, ["kind", "factor"]);
    return { kind, factor: atLeast(join(field, "factor"), given.factor, 0) };
  }
  fields(field, value, ["kind", "lambda", "noise", "delta"]);
  return {
    kind,
    lambda: atLeast(join(field, "lambda"), given.lambda, 0),
    noise: atLeast(join(field, "noise"), given.noise, 0),
    delta: between(join(field, "delta"), given.delta, 0, 1),
  };
}

/** The threshold for two peers with `n` and `m` observations of their own, in round `t`, at dimension `d`. */
export function thresholdAt(threshold: Threshold, n: number, m: number, t: number, d: number): number {
  if (threshold.kind === "practical") return threshold.factor * (confidence(n) + confidence(m));
  const { lambda, noise, delta } = threshold;
  const growth = ln((t + 3) / (delta / (4 * d)));
  // A_λ(t, δ/4d), with λt/4 as in the CLUB paper from which it is taken (docs/paper.md).
  const a = (lambda * t) / 4 - 8 * growth - 2 * Math.sqrt(t * growth);
  return (noise * Math.sqrt(2 * d * ln(t) + 2 * ln(2 / delta)) + 1) / Math.sqrt(1 + Math.max(a, 0));
}

/** f(n) = √((1 + ln(1+n)) / (1+n)): the width of an estimate from n observations. */
const confidence = (n: number): number => Math.sqrt((1 + ln(1 + n)) / (1 + n));

/** ‖a − b‖. */
export function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) * (a[i]! - b[i]!);
  return Math.sqrt(sum);
}
