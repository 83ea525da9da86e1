/** A line through samples: how much y grows with x, and how sure that is. */
export interface Slope {
  readonly perUnit: number;
  /** Half of the 95 % interval. */
  readonly plusMinus: number;
}

/** Blocks of neighbouring samples are averaged first: memory swings, and neighbours swing together. */
const BLOCKS = 10;
/** The 97.5 % point of Student's t with BLOCKS − 2 degrees of freedom. */
const STUDENT = 2.306;

/** Whether a line can be fitted to these. */
export const enoughFor = (samples: readonly unknown[]): boolean => samples.length >= 2 * BLOCKS;

/** Least squares over the means of ten blocks: Σ(x − x̄)(y − ȳ) / Σ(x − x̄)². At least 20 samples, in the order of x. */
export function slopeOf(samples: readonly (readonly [x: number, y: number])[]): Slope {
  if (!enoughFor(samples)) throw new RangeError(`20 samples or more are needed, not ${samples.length}`);
  const size = samples.length / BLOCKS;
  const points = Array.from({ length: BLOCKS }, (_, k) => {
    const block = samples.slice(Math.floor(k * size), Math.floor((k + 1) * size));
    return [mean(block.map(([x]) => x)), mean(block.map(([, y]) => y))] as const;
  });
  const [x0, y0] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = sum(points.map(([x]) => (x - x0) ** 2));
  const perUnit = sum(points.map(([x, y]) => (x - x0) * (y - y0))) / spread;
  const left = sum(points.map(([x, y]) => (y - y0 - perUnit * (x - x0)) ** 2));
  return { perUnit, plusMinus: STUDENT * Math.sqrt(left / (BLOCKS - 2) / spread) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
