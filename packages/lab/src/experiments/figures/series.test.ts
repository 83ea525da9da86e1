import { describe, expect, it } from "vitest";
import { measures } from "../../report/measures.ts";
import { exactPoint, figureOf, fitted, measuredPoint, withLines } from "./series.ts";

const bySeed = (...values: number[]): Map<number, number> => new Map(values.map((value, seed) => [seed + 1, value]));
const about = {
  id: "f",
  title: "F",
  kind: "loglog",
  measure: measures.regret,
  xTitle: "x",
  yTitle: "y",
  xScale: "log",
  yScale: "log",
} as const;

describe("points", () => {
  it("measured ones are means over seeds with an interval, exact ones have none", () => {
    expect(measuredPoint(3, bySeed(1, 2, 6)).y).toMatchObject({ value: 3, count: 3 });
    expect(measuredPoint(3, bySeed(1, 2, 6)).y.low).toBeLessThan(3);
    expect(exactPoint(3, 7)).toMatchObject({ x: 3, y: { value: 7, low: null, high: null } });
  });

  it("a power is fitted over the seeds that all points have", () => {
    const squares = [1, 2, 4].map((x) => measuredPoint(x, bySeed(x ** 2, 5 * x ** 2)));
    expect(fitted(squares)!.exponent.value).toBeCloseTo(2, 10);
    // The third seed is at the first point alone, and far off.
    const odd = [measuredPoint(1, bySeed(1, 5, 1000)), ...squares.slice(1)];
    expect(fitted(odd)!.exponent.value).toBeCloseTo(2, 10);
    expect(fitted([])).toBeNull();
  });
});

describe("figures of given lines", () => {
  const a = { name: "a", points: [measuredPoint(1, bySeed(1, 2)), measuredPoint(2, bySeed(3, 4))] };
  const bound = { name: "bound", points: [exactPoint(1, 10), exactPoint(2, 20)] };

  it("lines of one name look the same in every panel, and a line may look like another", () => {
    const like = { ...bound, name: "a, exactly", like: "a" };
    const data = figureOf(about, [
      { name: "left", lines: [bound, a] },
      { name: "right", lines: [a, like] },
    ]);
    const look = (panel: number, name: string) => data.panels[panel]!.series.find((line) => line.name === name)!.look;
    expect(look(0, "a")).toBe(look(1, "a"));
    expect(look(1, "a, exactly")).toBe(look(1, "a"));
    expect(look(0, "bound")).not.toBe(look(0, "a"));
    expect(data.legend.map(({ name }) => name)).toEqual(["bound", "a", "a, exactly"]);
  });

  it("counts the seeds of what is measured, and leaves out what has no points", () => {
    const data = figureOf(about, [
      { name: "full", lines: [a, bound, { name: "none", points: [] }] },
      { name: "empty", lines: [{ name: "none", points: [] }] },
    ]);
    expect(data.seeds).toEqual({ least: 2, most: 2 });
    expect(data.panels.map(({ name, series }) => [name, series.length])).toEqual([["full", 2]]);
  });

  it("takes further lines into its panels, with looks of their own", () => {
    const data = figureOf(about, [{ name: "p", lines: [a] }]);
    const more = withLines(data, (panel) => [{ ...bound, name: `bound in ${panel}` }]);
    expect(more.panels[0]!.series.map(({ name, look }) => [name, look])).toEqual([
      ["a", 0],
      ["bound in p", 1],
    ]);
    expect(more.legend).toHaveLength(2);
    expect(data.panels[0]!.series).toHaveLength(1);
    expect(() => withLines(data, () => [a])).toThrow("a name of its own");
  });
});
