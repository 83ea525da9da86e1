import type { Run } from "../../results/read.ts";
import { csv } from "../files/csv.ts";
import { count, numberText } from "../numbers.ts";
import type { WorldSummary } from "../summary.ts";
import { tableMarkup } from "../tables/markup.ts";
import { type Table, tableOf } from "../tables/table.ts";
import { summaryRows } from "../tables/values.ts";
import { escaped, slug } from "../text.ts";
import { aboutNumbers, missingNotice, provenance } from "./provenance.ts";
import { contentPolicy, script } from "./script.ts";
import { style } from "./style.ts";

/** A figure, drawn and said. */
export interface PageFigure {
  readonly id: string;
  readonly title: string;
  readonly sentence: string;
  /** For the page. */
  readonly inline: string;
  /** For a file: whole by itself. */
  readonly svg: string;
  readonly csv: string;
}

/** The report as one page that asks for nothing from outside. */
export function page(
  run: Run,
  worlds: readonly WorldSummary[],
  figures: readonly PageFigure[],
  /** Of the whole run; it comes first. */
  table: Table | null = null,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escaped(contentPolicy)}">
<meta name="color-scheme" content="light dark">
<title>${escaped(run.name)} · Coterie</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>${escaped(run.name)}</h1>
<p class="lede">${lede(run, worlds)}</p>
<nav aria-label="On this page"><ul>${contents(figures)}</ul></nav>
</header>
${missingNotice(run)}
<section aria-labelledby="results">
<h2 id="results">Results</h2>
${table === null ? "" : `<h3>${escaped(table.name)}</h3>\n${tableMarkup(table)}`}
${worlds.map(worldMarkup).join("\n")}
</section>
${figures.length === 0 ? "" : figuresMarkup(figures)}
<section aria-labelledby="run">
<h2 id="run">How it was run</h2>
${provenance(run)}
</section>
<section class="about" aria-labelledby="numbers">
<h2 id="numbers">About the numbers</h2>
${aboutNumbers()}
</section>
</main>
<script>${script}</script>
</body>
</html>
`;
}

function lede(run: Run, worlds: readonly WorldSummary[]): string {
  const policies = new Set(worlds.flatMap((world) => world.policies.map(({ policy }) => policy)));
  const seeds = Math.max(...worlds.map((world) => world.seeds));
  const parts = [count(worlds.length, "world"), count(policies.size, "policy", "policies"), count(seeds, "seed")];
  return `${parts.join(", ")}; ${numberText(run.results.length, 0)} of ${count(run.cells, "run")}.`;
}

function contents(figures: readonly PageFigure[]): string {
  const links: [string, string][] = [
    ["results", "Results"],
    ...figures.map(({ id, title }): [string, string] => [`view-${slug(id)}`, title]),
    ["run", "How it was run"],
    ["numbers", "About the numbers"],
  ];
  return links.map(([id, title]) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join("");
}

function worldMarkup(world: WorldSummary): string {
  const { header, rows } = summaryRows(world);
  const link = download(`${slug(world.world)}.csv`, "text/csv", csv(header, rows), "This table as CSV");
  return `<h3>${escaped(world.world)}</h3>
${tableMarkup(tableOf(world))}
<p class="note links">${link}</p>`;
}

function figuresMarkup(figures: readonly PageFigure[]): string {
  return `<section aria-labelledby="figures">
<h2 id="figures">Figures</h2>
${figures.map(figureMarkup).join("\n")}
</section>`;
}

function figureMarkup({ id, title, sentence, inline, svg, csv: data }: PageFigure): string {
  const name = slug(id);
  const links = [
    download(`${name}.csv`, "text/csv", data, "Data as CSV"),
    download(`${name}.svg`, "image/svg+xml", svg, "Figure as SVG"),
  ];
  return `<h3 id="view-${name}">${escaped(title)}</h3>
<p>${escaped(sentence)}</p>
<figure><div class="wide">${inline}</div>
<figcaption class="links">${links.join(" · ")}</figcaption></figure>`;
}

/** A link whose target is in the page itself. */
function download(name: string, type: string, contents: string, text: string): string {
  const data = Buffer.from(contents, "utf8").toString("base64");
  return `<a download="${escaped(name)}" href="data:${type};charset=utf-8;base64,${data}">${escaped(text)}</a>`;
}
