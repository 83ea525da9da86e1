import { count } from "../numbers.ts";
import { escaped, sentenceCase, slug } from "../text.ts";
import type { FigureData, Panel } from "./data.ts";
import { drawDots, drawTradeoff } from "./dots.ts";
import type { Drawing } from "./drawing.ts";
import { drawLines, MARGINS, type PanelSize } from "./lines.ts";
import { endLabels, type Label, LEAD, legend, textWidth } from "./names.ts";
import { schemeRules, withFallbacks } from "./palette.ts";

/** A figure as one SVG that stands by itself: its own colours for light and dark, a title and a description. */

const INSIDE = 860;
const GAP = 20;

export interface DrawOptions {
  /** What the figure says, for those who do not see it. */
  readonly sentence: string;
  /** Whether it stands alone, with its title and an edge; a page has headings and edges of its own. */
  readonly alone: boolean;
}

export async function drawFigure(data: FigureData, { sentence, alone }: DrawOptions): Promise<string> {
  const parts: string[] = [];
  let y = 0;
  if (alone) {
    parts.push(`<text y="${y + 14}" font-size="17" font-weight="650">${escaped(data.title)}</text>`);
    y += 26;
  }
  parts.push(`<text y="${y + 12}" fill="var(--muted)">${escaped(subtitle(data))}</text>`);
  y += 26;
  const direct = data.panels.length === 1 && isLines(data) && data.legend.length <= 16;
  if (!direct && data.kind !== "dots") {
    const { markup, height } = legend(data.legend, INSIDE, SAMPLES[data.kind]);
    parts.push(`<g transform="translate(0,${y})">${markup}</g>`);
    y += height + 8;
  }
  const grid = await panelGrid(data, direct);
  parts.push(`<g transform="translate(0,${y})">${grid.markup}</g>`);
  return framed(data, sentence, { edge: alone ? 16 : 0, height: y + grid.height, inside: parts.join("\n") });
}

const SAMPLES = { curves: "line", against: "both", loglog: "both", dots: "point", tradeoff: "point" } as const;

const isLines = ({ kind }: FigureData): boolean => kind === "curves" || kind === "against" || kind === "loglog";

/** What is drawn and what the shades are. */
function subtitle(data: FigureData): string {
  const { least, most } = data.seeds;
  const relative = data.relativeTo === null ? "" : `, as a multiple of ${data.relativeTo}'s`;
  const what = sentenceCase(`${data.measure.meaning}${relative}`);
  if (most === 0) return `${what}; no values`;
  if (most === 1) return `${what}; one seed, no interval`;
  const seeds = least === most ? count(most, "seed") : `${least} to ${most} seeds`;
  const numeric = data.panels.every(({ series }) =>
    series.every(({ points }) => points.every(({ x }) => typeof x === "number")),
  );
  const spread = isLines(data) && data.xScale !== "ordinal" && numeric ? "bands" : "bars";
  return `${what}; mean over ${seeds}, ${spread}: 95 % intervals`;
}

async function panelGrid(data: FigureData, direct: boolean): Promise<{ markup: string; height: number }> {
  const many = data.panels.length;
  const columns = many === 1 ? 1 : many === 2 || many === 4 || data.kind === "dots" ? 2 : 3;
  const width = (INSIDE - GAP * (columns - 1)) / columns;
  const parts: string[] = [];
  let top = 0;
  for (let first = 0; first < many; first += columns) {
    const row = data.panels.slice(first, first + columns);
    const height = rowHeight(data, row, columns);
    for (const [column, panel] of row.entries()) {
      const drawn = await panelMarkup(data, panel, width, height, direct);
      parts.push(`<g class="panel" transform="translate(${Math.round(column * (width + GAP))},${top})">${drawn}</g>`);
    }
    top += height + headHeight(data) + 12;
  }
  return { markup: parts.join("\n"), height: Math.max(top - 12, 40) };
}

/** Above each panel: its name, where there is one, and the title of y. */
const headHeight = (data: FigureData): number =>
  (data.panels.some(({ name }) => name !== "") ? 18 : 0) + (data.kind === "dots" ? 0 : 18);

function rowHeight(data: FigureData, row: readonly Panel[], columns: number): number {
  if (data.kind !== "dots") return columns === 1 ? 380 : columns === 2 ? 280 : 230;
  return MARGINS.top + MARGINS.bottom + 26 * Math.max(...row.map(({ series }) => series.length));
}

async function panelMarkup(
  data: FigureData,
  panel: Panel,
  width: number,
  height: number,
  direct: boolean,
): Promise<string> {
  const longest = Math.max(0, ...panel.series.map(({ name }) => textWidth(name)));
  const size: PanelSize = {
    width: Math.round(width),
    height,
    labelWidth:
      data.kind === "dots"
        ? Math.min(longest + 14, width / 2)
        : direct
          ? Math.min(longest + LEAD - MARGINS.right, width / 3)
          : 0,
  };
  const drawing = await drawPanel(data, panel, size);
  const name = panel.name === "" ? "" : `<text y="12" font-weight="600" font-size="13">${escaped(panel.name)}</text>`;
  const head = headHeight(data);
  const yTitle = data.kind === "dots" ? "" : `<text y="${head - 6}" fill="var(--muted)">${escaped(data.yTitle)}</text>`;
  const names = direct ? directNames(panel, drawing, size) : "";
  return `${name}${yTitle}<g transform="translate(0,${head})"><g text-anchor="middle">${drawing.markup}</g>${names}</g>`;
}

function drawPanel(data: FigureData, panel: Panel, size: PanelSize): Promise<Drawing> {
  if (data.kind === "dots") return drawDots(data, panel, size);
  return data.kind === "tradeoff" ? drawTradeoff(data, panel, size) : drawLines(data, panel, size);
}

function directNames(panel: Panel, drawing: Drawing, size: PanelSize): string {
  const labels: Label[] = panel.series.map(({ name, look, points }) => ({
    name,
    look,
    x: drawing.place("x", points.at(-1)!.x),
    y: drawing.place("y", points.at(-1)!.y.value),
  }));
  return endLabels(labels, size.width - size.labelWidth - MARGINS.right, MARGINS.top, size.height - MARGINS.bottom);
}

interface Frame {
  readonly edge: number;
  readonly height: number;
  readonly inside: string;
}

function framed(data: FigureData, sentence: string, { edge, height, inside }: Frame): string {
  // The page shows a figure as itself and as a file: only one of the two may own the ids.
  const id = `${edge > 0 ? "file" : "figure"}-${slug(data.id)}`;
  const [wide, tall] = [INSIDE + 2 * edge, Math.round(height) + 2 * edge];
  return withFallbacks(`<svg xmlns="http://www.w3.org/2000/svg" class="coterie-figure" role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${wide} ${tall}" width="${wide}" height="${tall}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif" font-size="12" fill="var(--ink)" color="var(--ink)">
<title id="${id}-title">${escaped(data.title)}</title>
<desc id="${id}-desc">${escaped(sentence)}</desc>
<style>${schemeRules(".coterie-figure")}</style>
<rect width="${wide}" height="${tall}" fill="var(--paper)"/>
<g transform="translate(${edge},${edge})">
${inside}
</g>
</svg>`);
}
