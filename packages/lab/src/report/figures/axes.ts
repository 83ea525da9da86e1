import { bytes, numberText, type Unit } from "../numbers.ts";
import type { FigureData, Panel } from "./data.ts";

/** What a scale must cover. */
export interface Extent {
  readonly low: number;
  readonly high: number;
}

/** Least and largest of some numbers; an empty or flat range is widened so that there is something to draw. */
export function extentOf(values: readonly number[]): Extent {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return { low: 0, high: 1 };
  if (low === high) return { low: low - (Math.abs(low) || 1) * 0.1, high: high + (Math.abs(high) || 1) * 0.1 };
  return { low, high };
}

/** A linear axis begins at 0 unless that would leave more than a third of it empty. */
export function withZero({ low, high }: Extent): Extent {
  if (low > 0 && low < 0.67 * high) return { low: 0, high };
  if (high < 0 && high > 0.67 * low) return { low, high: 0 };
  return { low, high };
}

/** All that the y axis of a panel must reach, intervals included. */
export const ysOf = (panel: Panel): number[] =>
  panel.series.flatMap(({ points }) => points.flatMap(({ y }) => [y.value, y.low ?? y.value, y.high ?? y.value]));

export const pricesOf = (panel: Panel): number[] =>
  panel.series.flatMap(({ points }) =>
    points.flatMap(({ price }) =>
      price === null ? [] : [price.value, price.low ?? price.value, price.high ?? price.value],
    ),
  );

/** A logarithmic axis reaches to the next 1, 2 or 5 times a power of ten on both sides, where its ticks are. */
export function roundedOut({ low, high }: Extent): Extent {
  const steps = [1, 2, 5, 10];
  const scaled = (value: number): readonly [unit: number, mantissa: number] => {
    const unit = 10 ** Math.floor(Math.log10(value));
    return [unit, value / unit];
  };
  const [lowUnit, lowest] = scaled(low);
  const [highUnit, highest] = scaled(high);
  return {
    low: lowUnit * Math.max(...steps.filter((step) => step <= lowest * 1.001)),
    high: highUnit * steps.find((step) => step >= highest * 0.999)!,
  };
}

/** Ticks of a logarithmic axis: powers of ten, with twos and fives between where there are few of them. */
export function logTicks({ low, high }: Extent): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const steps = last - first > 3 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  const every = Math.max(1, Math.ceil((last - first) / 6));
  for (let power = first; power <= last; power += every) {
    for (const step of steps) {
      // 10 ** −2 times 5 is 0.05 only when divided.
      const tick = power < 0 ? step / 10 ** -power : step * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  return ticks.length > 1 ? ticks : [low, high];
}

const LARGE: readonly (readonly [number, string])[] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e4, "k"],
];

/** A tick in as few characters as it needs: 20k, 1.5M, 0.25, 40 kB, 80 %. */
export function tickText(value: number, unit: Unit): string {
  if (unit === "bytes")
    return value === 0
      ? "0"
      : bytes(value)
          .replace(/(\.\d*?)0+ /, "$1 ")
          .replace(". ", " ");
  if (unit === "share") return `${trimmed(value * 100)} %`;
  const [limit, letter] = LARGE.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  const size = limit === 1e4 ? 1e3 : limit;
  return `${trimmed(value / size)}${letter}`;
}

/** Up to four significant digits, no trailing zeros. */
function trimmed(value: number): string {
  const rounded = Number(value.toPrecision(4));
  const decimals = /\.(\d+)$/.exec(`${rounded}`)?.[1]?.length ?? 0;
  return numberText(rounded, decimals);
}

/** The unit of what is drawn upwards. */
export const yUnit = (data: FigureData): Unit => (data.relativeTo === null ? data.measure.unit : "number");
