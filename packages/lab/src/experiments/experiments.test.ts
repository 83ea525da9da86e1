import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { folderWith } from "../data/testing/folders.ts";
import { DELICIOUS, LASTFM, MOVIELENS_CSV } from "../data/testing/samples.ts";
import { drawFigure } from "../report/figures/draw.ts";
import { gather } from "../report/figures/gather.ts";
import type { ComputedFigure, Figure } from "../report/figures/spec.ts";
import { sentenceOf } from "../report/sentences/sentence.ts";
import type { Run } from "../results/read.ts";
import { cellsOf } from "../running/cells.ts";
import { parseExperiment } from "../running/parse.ts";
import { builtIn, builtIns, figuresOf } from "./index.ts";
import { ofOneSeed, runSmall } from "./testing/runSmall.ts";
import { small } from "./testing/small.ts";

const directories = async () => ({
  lastfm: await folderWith(LASTFM),
  delicious: await folderWith(DELICIOUS),
  movielens: await folderWith(MOVIELENS_CSV),
});

function numbersOf(run: Run, figure: Figure): Omit<ComputedFigure, "id"> {
  if ("data" in figure) return figure;
  const data = gather(run, figure);
  return { data, sentence: figure.sentence?.(data, run) ?? sentenceOf(data) };
}

describe.each(builtIns)("$name", (entry) => {
  let made: Promise<Run> | undefined;
  /** With two seeds; made once, by the first test that asks. */
  const run = (): Promise<Run> =>
    (made ??= directories().then((places) => runSmall(small(entry, { directories: places }))));

  it("is an experiment as anyone's file would be, under its own name", () => {
    expect(JSON.parse(JSON.stringify(entry.document))).toEqual(entry.document);
    expect(parseExperiment(entry.document).name).toBe(entry.name);
    expect(cellsOf(builtIn(entry.name)!).length).toBeGreaterThan(0);
    expect(entry.title.length).toBeLessThan(100);
  });

  it("has a README that names its command", () => {
    const readme = new URL(`./${entry.name}/README.md`, import.meta.url);
    expect(existsSync(readme)).toBe(true);
    expect(readFileSync(readme, "utf8")).toContain(`coterie run ${entry.name}`);
  });

  it("runs, and each of its figures is drawn and said", async () => {
    const whole = await run();
    expect(whole.missing).toEqual([]);
    const figures = figuresOf(whole);
    expect(figures.length).toBeGreaterThan(0);
    expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
    for (const figure of figures) {
      const { data, sentence } = numbersOf(whole, figure);
      expect(data.panels.length, `panels of ${figure.id}`).toBeGreaterThan(0);
      const values = data.panels.flatMap(({ series }) =>
        series.flatMap(({ points }) => points.map(({ y }) => y.value)),
      );
      expect(values.every(Number.isFinite), `values of ${figure.id}`).toBe(true);
      expect(sentence, `sentence of ${figure.id}`).toMatch(/^[A-Z].*\.$/s);
      expect(sentence).not.toMatch(/undefined|NaN|null|Infinity|∞/);
      const svg = await drawFigure(data, { sentence, alone: true });
      for (const { name } of data.legend) expect(svg).toContain(name.replaceAll("'", "&#39;"));
    }
  });

  it("says the same whatever one seed alone came to", async () => {
    const one = ofOneSeed(await run(), 1);
    expect(one.missing).toEqual([]);
    for (const figure of figuresOf(one)) expect(numbersOf(one, figure).sentence).not.toMatch(/undefined|NaN|null/);
  });
});

describe("the figures of a run", () => {
  it("are those of the built-in experiment of its name, if it has its worlds and policies", async () => {
    const quick = builtIns.find(({ name }) => name === "quick")!;
    const document = { ...(small(quick, { seeds: [1] }) as { policies: object[] }), rounds: 8 };
    expect(figuresOf(await runSmall(document)).length).toBeGreaterThan(0);
    expect(figuresOf(await runSmall({ ...document, name: "mine" }))).toEqual([]);
    expect(figuresOf(await runSmall({ ...document, policies: document.policies.slice(1) }))).toEqual([]);
  });
});
