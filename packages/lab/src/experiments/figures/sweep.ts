import type { FigureData, FigureSeries, Point } from "../../report/figures/data.ts";
import { gather } from "../../report/figures/gather.ts";
import type { Against, CellValue, CellView, ComputedFigure } from "../../report/figures/spec.ts";
import { type Measure, measureOf } from "../../report/measures.ts";
import { numberText } from "../../report/numbers.ts";
import { listed, named, sentenceCase } from "../../report/text.ts";
import type { Run } from "../../results/read.ts";
import { type FigureLine, measuredPoint, withLines } from "./series.ts";
import { withInterval } from "./words.ts";

/** Figures of a parameter that several policies have: where each is best, and those without it as level lines. */

/** "dccb, bridge, delay 8" → "dccb, bridge": what is the same along a sweep. */
export const family = ({ row }: CellView): string => row.policy.replace(/, [^,]*$/, "");

/** "dccb, bridge, delay 8" → "8", after the last comma and the given word; null where a policy has no such part. */
export const setting =
  (word: string): CellValue =>
  ({ row }) =>
    new RegExp(`, ${word} ([^,]*)$`).exec(row.policy)?.[1] ?? null;

export interface Sweep extends Against {
  /** What the parameter is called in a sentence. */
  readonly parameter: string;
  /** Policies without the parameter, drawn as level lines. */
  readonly levels: readonly string[];
}

export function sweepFigure(run: Run, { levels, parameter, ...spec }: Sweep): ComputedFigure {
  const plain = gather(run, { series: family, ...spec });
  const data = withLines(plain, (panel) => levels.map((policy) => levelLine(run, plain, spec, panel, policy)));
  const settings = plain.measure.better === null ? rangesInWords(plain) : bestSettings(plain, parameter);
  return { id: spec.id, data, sentence: settings + levelsInWords(data, levels) };
}

/** The same value of one policy at every x of a panel. */
function levelLine(run: Run, data: FigureData, spec: Against, panel: string, policy: string): FigureLine {
  const measure = measureOf(spec.measure);
  // Without a panel of its own a world shares the one panel there is.
  const results = run.results.filter(({ row }) => row.policy === policy && (panel === "" || row.world === panel));
  const bySeed = new Map<number, number>();
  for (const result of results) {
    const value = measure.of(result);
    if (value !== null) bySeed.set(result.row.seed, value);
  }
  if (bySeed.size === 0) return { name: policy, points: [] };
  const series = data.panels.find(({ name }) => name === panel)?.series ?? [];
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))];
  if (xs.every((x) => typeof x === "number")) xs.sort((a, b) => Number(a) - Number(b));
  return { name: policy, points: xs.map((x) => measuredPoint(x, bySeed)) };
}

/** "Regret is least, over α, for solo at 0.2 with 1,010 (990 to 1,030) and …" */
export function bestSettings(data: FigureData, parameter: string): string {
  const { measure } = data;
  const sentences = data.panels.map(({ name, series }) => {
    const parts = series.map((own) => `${named(own.name)} at ${bestIn(own, measure, data)}`);
    const where = data.panels.length > 1 ? `in ${named(name)} ` : "";
    const most = measure.better === "more" ? "highest" : (measure.superlative ?? "lowest");
    return `${sentenceCase(`${where}${measure.title} is ${most}, over ${parameter}, for ${listed(parts)}`)}.`;
  });
  return sentences.join(" ");
}

/** "Bytes per peer and round: dcb from 518 B (at epoch) to 34.0 kB (at matching), …" */
function rangesInWords(data: FigureData): string {
  const sentences = data.panels.map(({ name, series }) => {
    const parts = series.map(({ name: own, points }) => {
      const sorted = [...points].sort((a, b) => a.y.value - b.y.value);
      const [least, most] = [sorted[0]!, sorted.at(-1)!].map((point) => `${worded(point, data)} at ${spoken(point.x)}`);
      return `${named(own)} from ${least} to ${most}`;
    });
    const where = data.panels.length > 1 ? `in ${named(name)}, ` : "";
    return `${sentenceCase(`${where}${data.measure.title}: ${parts.join("; ")}`)}.`;
  });
  return sentences.join(" ");
}

function bestIn({ points }: FigureSeries, measure: Measure, data: FigureData): string {
  const sorted = [...points].sort((a, b) => a.y.value - b.y.value);
  const best = (measure.better === "more" ? sorted.at(-1) : sorted[0])!;
  return `${spoken(best.x)} with ${worded(best, data)}`;
}

const spoken = (x: number | string): string => (typeof x === "number" ? numberText(x, decimals(x)) : x);
const decimals = (x: number): number => /\.(\d+)$/.exec(`${x}`)?.[1]?.length ?? 0;

const worded = ({ y }: Point, { measure }: FigureData): string => withInterval(y, measure.unit);

function levelsInWords(data: FigureData, levels: readonly string[]): string {
  const sentences = data.panels.map(({ name, series }) => {
    const parts = series
      .filter((own) => levels.includes(own.name))
      .map((own) => `${named(own.name)} has ${worded(own.points[0]!, data)}`);
    if (parts.length === 0) return "";
    return ` ${sentenceCase(`${data.panels.length > 1 ? `in ${named(name)} ` : ""}${listed(parts)}`)}.`;
  });
  return sentences.join("");
}
