import { escaped } from "../text.ts";
import type { LegendEntry } from "./data.ts";
import { type CurveStyle, curveStyleOf } from "./palette.ts";

/** Names of series: beside the ends of their lines, or in a legend above. */

/** Pixels that a text takes, near enough to leave room for it; fonts differ, so rather too many. */
export const textWidth = (text: string, size = 12): number => Math.ceil([...text].length * size * 0.6);

const LINE = 15;

export interface Label {
  readonly name: string;
  readonly look: number;
  /** Where its line ends. */
  readonly x: number;
  readonly y: number;
}

/** Heights for labels so that none overlaps another, each as near to its own line as the others let it. */
export function spreadOut(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed = new Array<number>(wanted.length).fill(0);
  // Downwards each at least a gap below the one before; then upwards from the bottom edge.
  let edge = low;
  for (const index of order) {
    placed[index] = Math.max(wanted[index]!, edge);
    edge = placed[index] + gap;
  }
  edge = high;
  for (const index of order.reverse()) {
    placed[index] = Math.min(placed[index]!, edge);
    edge = placed[index] - gap;
  }
  return placed;
}

/** Room that a name at the end of a line takes before its first letter. */
export const LEAD = 38;

/**
 * Names to the right of the lines, each behind a sample of its line that leads from where the line ends. The names
 * themselves are in ink: not every colour of a line is dark enough to be read as text.
 */
export function endLabels(labels: readonly Label[], right: number, low: number, high: number): string {
  const gap = Math.min(LINE, (high - low) / Math.max(1, labels.length - 1));
  const heights = spreadOut(
    labels.map(({ y }) => y),
    gap,
    low,
    high,
  );
  return labels
    .map(({ name, look, x, y }, k) => {
      const { colour, dash } = curveStyleOf(look);
      const at = round(heights[k]!);
      const lead = `<path d="M${round(x + 6)},${round(y)}L${right + 14},${at}" fill="none" stroke="${colour}" stroke-opacity="0.6"/>`;
      const dashes = dash === null ? "" : ` stroke-dasharray="${dash}"`;
      const own = `<path d="M${right + 14},${at}h20" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`;
      return `${lead}${own}<text x="${right + LEAD}" y="${at}" dy="0.32em">${escaped(name)}</text>`;
    })
    .join("");
}

/** What stands for a series in a legend. */
export type LegendSample = "line" | "point" | "both";

/** A sample and a name for each series, in as many lines as they need. */
export function legend(
  entries: readonly LegendEntry[],
  width: number,
  sample: LegendSample,
): { markup: string; height: number } {
  let x = 0;
  let y = 0;
  const parts = entries.map(({ name, look }) => {
    const own = 34 + textWidth(name) + 18;
    if (x > 0 && x + own > width) {
      x = 0;
      y += 20;
    }
    const part = `<g transform="translate(${x},${y})">${sampleOf(curveStyleOf(look), sample)}<text x="34" y="10" dy="0.32em">${escaped(name)}</text></g>`;
    x += own;
    return part;
  });
  return { markup: `<g class="legend">${parts.join("")}</g>`, height: entries.length === 0 ? 0 : y + 20 };
}

function sampleOf({ colour, dash, symbol }: CurveStyle, sample: LegendSample): string {
  const dashes = dash === null ? "" : ` stroke-dasharray="${dash}"`;
  const line = `<path d="M0,10L28,10" stroke="${colour}" stroke-width="1.8" fill="none"${dashes}/>`;
  const point = `<path d="${SHAPES[symbol]}" transform="translate(14,10)" fill="${colour}"/>`;
  return sample === "line" ? line : sample === "point" ? point : line + point;
}

/** The shapes of the points, about 10 px wide, as the plots draw them. */
const SHAPES: Readonly<Record<CurveStyle["symbol"], string>> = {
  circle: "M4.5,0A4.5,4.5,0,1,1,-4.5,0A4.5,4.5,0,1,1,4.5,0",
  square: "M-4,-4h8v8h-8Z",
  triangle: "M0,-5.3L4.6,2.7L-4.6,2.7Z",
  diamond: "M0,-6L3.5,0L0,6L-3.5,0Z",
  star: "M0,-6L1.4,-1.9L5.7,-1.9L2.2,0.7L3.5,4.9L0,2.3L-3.5,4.9L-2.2,0.7L-5.7,-1.9L-1.4,-1.9Z",
  wye: "M1.6,1.8L1.6,5L-1.6,5L-1.6,1.8L-4.4,0.2L-2.8,-2.6L0,-1L2.8,-2.6L4.4,0.2Z",
  cross: "M-5,-1.7H-1.7V-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5Z",
};

export const round = (value: number): number => Math.round(value * 100) / 100;
