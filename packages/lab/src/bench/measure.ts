/** One line of a benchmark. A ratio has no unit and is better when larger; it alone is compared between runs. */
export interface BenchLine {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the ratio is to, in words. */
  readonly against?: string;
  readonly ratio?: number;
  /** What part of the machine's limit it reaches, where the ratio is another. */
  readonly share?: number;
}

/**
 * The best time of each call in nanoseconds, all of them in turn, each so many times, for `seconds`: the window that the rest of the machine
 * disturbed least, and the same weather for everyone.
 */
export function bestOf<K extends string>(
  calls: Readonly<Record<K, () => void>>,
  seconds: number,
  repeats = 3,
): Record<K, number> {
  const names = Object.keys(calls) as K[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<K, number>;
  const until = performance.now() + 1000 * seconds;
  for (let turn = 0; turn < 2 || performance.now() < until; turn++) {
    for (const name of names) {
      for (let again = 0; again < repeats; again++) {
        const from = process.hrtime.bigint();
        calls[name]();
        best[name] = Math.min(best[name], Number(process.hrtime.bigint() - from));
      }
    }
  }
  return best;
}
