// Means over independent runs, with the error that such a mean has.

export interface Measured {
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
}

export function measured(samples: readonly number[]): Measured {
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const square = samples.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (samples.length - 1);
  return { mean, error: Math.sqrt(square / samples.length) };
}

export const seeds = (count: number): number[] => Array.from({ length: count }, (_, k) => k + 1);

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

/** The share of runs that fail. */
export const frequency = <T>(runs: readonly T[], fails: (run: T) => boolean): number =>
  runs.filter(fails).length / runs.length;

/** The largest |found − wanted|, NaN counted as infinite. */
export function gap(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  if (found.length !== wanted.length) return Infinity;
  let largest = 0;
  for (let k = 0; k < found.length; k++) {
    const difference = Math.abs(found[k]! - wanted[k]!);
    largest = difference <= largest ? largest : Number.isNaN(difference) ? Infinity : difference;
  }
  return largest;
}
