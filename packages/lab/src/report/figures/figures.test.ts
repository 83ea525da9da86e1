import { describe, expect, it } from "vitest";
import { type Run, runOf } from "../../results/read.ts";
import { sentenceOf } from "../sentences/sentence.ts";
import { madeManifest, madeResults, madeRun } from "../testing/results.ts";
import { elements, marks, parseXml } from "../testing/xml.ts";
import { defaultFigures } from "./defaults.ts";
import { drawFigure } from "./draw.ts";
import { gather } from "./gather.ts";
import { spreadOut } from "./names.ts";
import type { FigureSpec } from "./spec.ts";

const regret: FigureSpec = { id: "regret", title: "Regret", kind: "curves", measure: "regret" };

/** Five worlds of 10 to 160 peers in which regret grows exactly as peers^0.7, solo's as peers. */
function growing(): Run {
  const making = { worlds: [10, 20, 40, 80, 160].map((peers) => ({ name: `${peers} peers`, peers })) };
  const results = madeResults(making).map((result) => {
    const power = result.row.kind === "solo" ? 1 : 0.7;
    // The same noise in every world, so that the power is exact.
    const level = 100 * (1 + result.row.seed / 100);
    return { ...result, row: { ...result.row, regret: level * (result.row.peers / 10) ** power } };
  });
  return runOf([{ file: "made/manifest.json", manifest: madeManifest(making) }], results);
}

const draw = async (run: Run, spec: FigureSpec, alone = true) => {
  const data = gather(run, spec);
  const sentence = sentenceOf(data);
  return { data, sentence, svg: parseXml(await drawFigure(data, { sentence, alone })) };
};

describe("curves", () => {
  it("have a line and a band for each policy, named at their ends", async () => {
    const { svg, data } = await draw(madeRun(), regret);
    expect(marks(svg, "line")).toHaveLength(4);
    expect(marks(svg, "area")).toHaveLength(4);
    const texts = elements(svg, ({ name }) => name === "text").map(({ text }) => text);
    for (const name of ["random", "solo", "dccb, sum", "oracle"]) expect(texts).toContain(name);
    expect(data.panels[0]!.series[0]!.points.map(({ x }) => x).slice(0, 2)).toEqual([50, 100]);
  });

  it("are told and titled for those who do not see them", async () => {
    const { svg, sentence } = await draw(madeRun(), regret);
    expect(svg.attributes.role).toBe("img");
    expect(svg.children[0]).toMatchObject({ name: "title", text: "Regret" });
    expect(svg.children[1]).toMatchObject({ name: "desc", text: sentence.replaceAll("'", "&#39;") });
    const ids = svg.attributes["aria-labelledby"]!.split(" ");
    expect(svg.children.slice(0, 2).map(({ attributes }) => attributes.id)).toEqual(ids);
    expect(svg.children[2]!.text).toContain("prefers-color-scheme:dark");
  });

  it("have a panel for each world and one legend for all", async () => {
    const worlds = ["a", "b", "c"].map((name) => ({ name }));
    const { svg } = await draw(madeRun({ worlds }), regret);
    expect(elements(svg, ({ attributes }) => attributes.class === "panel")).toHaveLength(3);
    expect(marks(svg, "line")).toHaveLength(12);
    expect(elements(svg, ({ attributes }) => attributes.class === "legend")[0]!.children).toHaveLength(4);
  });

  it("have no band with one seed, and say so", async () => {
    const { svg, sentence } = await draw(madeRun({ seeds: [1] }), regret);
    expect(marks(svg, "line")).toHaveLength(4);
    expect(elements(svg, ({ name, attributes }) => name === "path" && attributes["aria-label"] === "area")).toEqual([]);
    expect(marks(svg, "area").flatMap(({ children }) => children)).toEqual([]);
    expect(sentence).toContain("One seed only");
  });

  it("keep a policy's look whichever policies are shown", () => {
    const all = gather(madeRun(), regret);
    const some = gather(madeRun(), { ...regret, only: ({ kind }) => kind === "oracle" });
    expect(some.panels[0]!.series[0]!.look).toBe(all.legend.find(({ name }) => name === "oracle")!.look);
  });

  it("draw ratios to a reference seed by seed", () => {
    const data = gather(madeRun(), { ...regret, relativeTo: "solo" });
    const names = data.panels[0]!.series.map(({ name }) => name);
    expect(names).toEqual(["random", "dccb, sum", "oracle"]);
    const { y } = data.panels[0]!.series[1]!.points.at(-1)!;
    expect(y.value).toBeCloseTo(0.6, 1);
    expect(y.high!).toBeLessThan(1);
  });

  it("keep the band of a share between 0 and 1", () => {
    const results = madeResults({ seeds: [1, 2, 3] }).map((result) => {
      const checkpoints = result.checkpoints.map((at) => {
        if (at.pairsRight === null) return at;
        return { ...at, pairsRight: result.row.seed === 1 ? 500 : 780, pairsWrong: result.row.seed === 1 ? 280 : 0 };
      });
      return { ...result, checkpoints };
    });
    const run = runOf([{ file: "made/manifest.json", manifest: madeManifest({ seeds: [1, 2, 3] }) }], results);
    const { y } = gather(run, { ...regret, measure: "pairsRight" }).panels[0]!.series[0]!.points[0]!;
    expect(y.value).toBeCloseTo((500 / 780 + 2) / 3, 12);
    expect(y.high).toBe(1);
    expect(y.low!).toBeGreaterThan(0);
  });

  it("survive any name", async () => {
    const hostile = `<script>alert("1")</script>&amp;\u0000\u001b[31m'`;
    const worlds = [{ name: hostile }, { name: "plain" }];
    const policies = [
      { kind: "solo", name: hostile, level: 3 },
      { kind: "dccb", level: 2 },
    ];
    const run = madeRun({ worlds, policies });
    for (const kind of ["curves", "dots"] as const) {
      const { svg } = await draw(run, { id: hostile, title: hostile, kind, measure: "regret" });
      expect(elements(svg, ({ name }) => name === "script")).toEqual([]);
    }
  });

  it("are the same text each time", async () => {
    const data = gather(madeRun(), regret);
    const options = { sentence: "s", alone: true };
    expect(await drawFigure(data, options)).toBe(await drawFigure(data, options));
  });
});

describe("a measure against a parameter", () => {
  const loglog: FigureSpec = {
    id: "peers",
    title: "By peers",
    kind: "loglog",
    measure: "regret",
    x: "row.peers",
    xTitle: "peers",
  };

  it("has a point at each value and the fitted power", async () => {
    const { svg, data, sentence } = await draw(growing(), loglog);
    const solo = data.panels[0]!.series.find(({ name }) => name === "solo")!;
    expect(solo.points.map(({ x }) => x)).toEqual([10, 20, 40, 80, 160]);
    expect(solo.law!.exponent.value).toBeCloseTo(1, 9);
    expect(data.panels[0]!.series.find(({ name }) => name === "oracle")!.law!.exponent.value).toBeCloseTo(0.7, 9);
    expect(marks(svg, "dot")).toHaveLength(4);
    expect(marks(svg, "dot")[0]!.children).toHaveLength(5);
    expect(sentence).toMatch(/^Regret goes as peers to the power 0\.7\d* for random .* 1\.\d+ for solo/);
  });

  it("reads parameters from the experiment's own entries", () => {
    const data = gather(growing(), { ...loglog, kind: "against", x: "world.peers" });
    expect(data.panels[0]!.series[0]!.points.map(({ x }) => x)).toEqual([10, 20, 40, 80, 160]);
    expect(gather(growing(), { ...loglog, x: "policy.threshold.factor" }).panels).toEqual([]);
  });

  it("keeps the order of names", async () => {
    const { data, svg } = await draw(growing(), { ...loglog, kind: "against", x: "row.world", xScale: "ordinal" });
    expect(data.panels[0]!.series[0]!.points.map(({ x }) => x)).toEqual([
      "10 peers",
      "20 peers",
      "40 peers",
      "80 peers",
      "160 peers",
    ]);
    expect(marks(svg, "line")).toHaveLength(4);
    expect(marks(svg, "area")).toHaveLength(0);
  });

  it("refuses to mix two cells in one point", () => {
    expect(() => gather(growing(), { ...loglog, x: "row.rounds" })).toThrow(
      /figure peers: each point has one cell of each seed/,
    );
  });
});

describe("dots and trade-offs", () => {
  it("have one point for each policy that has the values", async () => {
    const dots = await draw(madeRun(), { id: "d", title: "D", kind: "dots", measure: "regret" });
    expect(marks(dots.svg, "dot")).toHaveLength(4);
    const trade = await draw(madeRun(), { id: "t", title: "T", kind: "tradeoff", measure: "regret", price: "bytes" });
    expect(marks(trade.svg, "dot")).toHaveLength(3);
  });

  it("draw something even without a value", async () => {
    const { sentence, svg } = await draw(madeRun(), {
      id: "r",
      title: "R",
      kind: "curves",
      measure: "rewardOverRandom",
    });
    expect(sentence).toBe("No run has a value of reward over random yet.");
    expect(svg.name).toBe("svg");
  });
});

describe("the figures of any experiment", () => {
  it("are those it has values for", () => {
    const ids = (run: Run): string[] => defaultFigures(run).map(({ id }) => id);
    expect(ids(madeRun())).toEqual(["regret", "regret-per-round", "pairs-right", "regret-and-bytes"]);
    expect(ids(madeRun({ worlds: [{ name: "data", regret: false }], policies: [{ kind: "solo", level: 2 }] }))).toEqual(
      ["reward-over-random"],
    );
  });
});

describe("labels", () => {
  it("are moved apart, in order and within bounds", () => {
    const placed = spreadOut([50, 51, 52, 10], 15, 0, 100);
    expect(placed[3]).toBe(10);
    expect(placed.slice(0, 3)).toEqual([50, 65, 80]);
    expect(spreadOut([99, 100], 15, 0, 100)).toEqual([85, 100]);
  });
});
