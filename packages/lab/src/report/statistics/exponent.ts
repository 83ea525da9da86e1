import { assert, ln } from "@coterie/core/internal";
import { estimate, meanOf, type SeedEstimate } from "./interval.ts";
import { studentPoint } from "./student.ts";

/** y = scale · x^exponent, fitted by least squares on logarithms. */
export interface PowerLaw {
  readonly exponent: SeedEstimate;
  readonly scale: number;
  /** Whether the interval comes from resampled seeds or, with one seed, from how the points scatter about the line. */
  readonly from: "seeds" | "residuals";
}

/**
 * Fits a power law to the means of y over seeds.
 *
 * @param xs positive, at least two different ones
 * @param ys ys[k][s] > 0 is the value at xs[k] of seed s; every x has the same seeds in the same order
 */
export function powerLaw(xs: readonly number[], ys: readonly (readonly number[])[]): PowerLaw | null {
  const seeds = ys[0]?.length ?? 0;
  assert(
    xs.length === ys.length && ys.every((values) => values.length === seeds),
    "every x of a fit has the same seeds",
  );
  if (seeds === 0 || new Set(xs).size < 2) return null;
  if (!xs.every((x) => x > 0) || !ys.every((values) => values.every((y) => y > 0))) return null;
  const logXs = xs.map(ln);
  const slope = (picks: Uint32Array, from: number, count: number): number =>
    line(
      logXs,
      ys.map((values) => ln(meanOf(values, picks, from, count))),
    ).slope;
  const all = Uint32Array.from({ length: seeds }, (_, index) => index);
  const logYs = ys.map((values) => ln(meanOf(values, all, 0, seeds)));
  const fit = line(logXs, logYs);
  const exponent = seeds > 1 ? estimate(seeds, slope) : fromResiduals(logXs, logYs);
  return { exponent, scale: Math.exp(fit.intercept), from: seeds > 1 ? "seeds" : "residuals" };
}

/** slope = Σ (x − x̄)(y − ȳ) / Σ (x − x̄)² */
function line(xs: readonly number[], ys: readonly number[]): { slope: number; intercept: number } {
  const meanX = xs.reduce((sum, x) => sum + x, 0) / xs.length;
  const meanY = ys.reduce((sum, y) => sum + y, 0) / ys.length;
  let across = 0;
  let squares = 0;
  for (let k = 0; k < xs.length; k++) {
    across += (xs[k]! - meanX) * (ys[k]! - meanY);
    squares += (xs[k]! - meanX) ** 2;
  }
  const slope = across / squares;
  return { slope, intercept: meanY - slope * meanX };
}

/** slope ± t · √( Σ residual² / (m − 2) / Σ (x − x̄)² ), with m points. */
function fromResiduals(xs: readonly number[], ys: readonly number[]): SeedEstimate {
  const { slope, intercept } = line(xs, ys);
  const freedom = xs.length - 2;
  if (freedom < 1) return { value: slope, low: null, high: null, count: 1 };
  const meanX = xs.reduce((sum, x) => sum + x, 0) / xs.length;
  const residuals = xs.reduce((sum, x, k) => sum + (ys[k]! - intercept - slope * x) ** 2, 0);
  const squares = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  const reach = studentPoint(freedom) * Math.sqrt(residuals / freedom / squares);
  return { value: slope, low: slope - reach, high: slope + reach, count: 1 };
}
