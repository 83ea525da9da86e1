// Tests of fit for fixed seeds: a fair source fails at these limits once in a million tries, but the seed is fixed, so
// it either passes for ever or is not fair.

/** Σ (count − expected)² / expected, where a cell of twice the weight is expected twice as often. */
export function chiSquare(counts: readonly number[], weights: readonly number[] = counts.map(() => 1)): number {
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const each = total(counts) / total(weights);
  return counts.reduce((sum, count, k) => sum + (count - each * weights[k]) ** 2 / (each * weights[k]), 0);
}

/** The value that chi-square with `freedom` degrees exceeds with probability 1e-6 (Wilson and Hilferty: z = 4.753). */
export function chiSquareLimit(freedom: number): number {
  const ninth = 2 / (9 * freedom);
  return freedom * (1 - ninth + 4.753 * Math.sqrt(ninth)) ** 3;
}

/** Counts how often each of the given outcomes was drawn; an outcome not among them is an error. */
export function tally(outcomes: readonly string[], draws: number, draw: () => string): number[] {
  const counts = new Map(outcomes.map((outcome) => [outcome, 0]));
  for (let k = 0; k < draws; k++) {
    const outcome = draw();
    const before = counts.get(outcome);
    if (before === undefined) throw new Error(`${outcome} is not a possible outcome`);
    counts.set(outcome, before + 1);
  }
  return [...counts.values()];
}
