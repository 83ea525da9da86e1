import { describe, expect, it } from "vitest";
import { madeRun } from "../../report/testing/results.ts";
import { setting, sweepFigure } from "./sweep.ts";

/** Regret is level · √rounds, so 10 times as much for level 20 as for level 2. */
const run = madeRun({
  worlds: [{ name: "w" }],
  policies: [
    { kind: "solo", level: 10 },
    { kind: "dcb", name: "dcb, delay 0", level: 20 },
    { kind: "dcb", name: "dcb, delay 8", level: 2 },
    { kind: "dcb", name: "dcb, delay ×4", level: 8 },
    { kind: "dccb", name: "dccb, mutual and bridge, delay 0", level: 5 },
  ],
});

const figure = sweepFigure(run, {
  id: "regret-by-delay",
  title: "Regret against the delay",
  kind: "against",
  measure: "regret",
  panel: "row.world",
  x: setting("delay"),
  xTitle: "delay",
  xScale: "ordinal",
  parameter: "delay",
  levels: ["solo"],
});

describe("a sweep", () => {
  const series = figure.data.panels[0]!.series;

  it("puts settings of one family on one line, in the order of the experiment", () => {
    expect(series.map(({ name }) => name)).toEqual(["dcb", "dccb, mutual and bridge", "solo"]);
    expect(series[0]!.points.map(({ x }) => x)).toEqual(["0", "8", "×4"]);
  });

  it("draws a policy without the parameter as a level line over all settings", () => {
    const level = series[2]!.points;
    expect(level.map(({ x }) => x)).toEqual(["0", "8", "×4"]);
    expect(new Set(level.map(({ y }) => y.value)).size).toBe(1);
    expect(level[0]!.y.value).toBeGreaterThan(series[0]!.points[1]!.y.value);
  });

  it("says where each family is best and what the level lines are at", () => {
    expect(figure.sentence).toMatch(/^Regret is least, over delay, for dcb at 8 with 6\d\.\d \(6\d\.\d to 6\d\.\d\)/);
    expect(figure.sentence).toMatch(/“dccb, mutual and bridge” at 0 with 1\d\d \(/);
    expect(figure.sentence).toMatch(/\. Solo has 3\d\d \(\d+ to \d+\)\.$/);
  });

  it("says the range of a measure of which neither much nor little is good", () => {
    const bytes = sweepFigure(run, {
      id: "bytes-by-delay",
      title: "Bytes against the delay",
      kind: "against",
      measure: "bytes",
      x: setting("delay"),
      xTitle: "delay",
      parameter: "delay",
      levels: ["solo"],
    });
    expect(bytes.sentence).toMatch(/^Bytes per peer and round: dcb from 1.00 kB at 0 to 1.00 kB at ×4; /);
    expect(bytes.sentence).toMatch(/ Solo has 1.00 kB\.$/);
  });
});
