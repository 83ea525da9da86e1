import { describe, expect, it } from "vitest";
import { madeResults, POLICIES } from "../testing/results.ts";
import { terminalChart } from "./chart.ts";
import { clipped, widthOf, wrapped } from "./style.ts";
import { terminalTable } from "./table.ts";

const rows = madeResults().map(({ row }) => row);
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
const ESCAPES = /\u001b\[[\d;]*m/g;

describe("a table in the terminal", () => {
  it.each([40, 60, 80, 100, 140, 200])("fits into %i columns", (width) => {
    const lines = terminalTable(rows, { width }).split("\n");
    for (const line of lines.slice(1)) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(lines.some((line) => line.startsWith("dccb, sum"))).toBe(true);
  });

  it("has all columns and intervals where there is room, and names what it leaves out where not", () => {
    const wide = terminalTable(rows, { width: 240 });
    expect(wide).not.toContain("No room here");
    expect(wide).toMatch(/oracle .*\d\* \(\d+\.?\d* to \d+\.?\d*\)/);
    // 151 to 158 without 153: 154.71 ± 2.4469 · 2.5635/√7
    expect(wide).toContain("154.7 (152.3 to 157.1, 7 of 8)");
    const narrow = terminalTable(rows, { width: 60 });
    expect(narrow).toMatch(/No room here for: [^.]*exchanges/);
    expect(narrow).toMatch(/dccb, sum .* 0\.602 /);
    expect(narrow).toContain("regret");
  });

  it("marks the best by a star, or in bold where colour is allowed", () => {
    const plain = terminalTable(rows, { width: 200 });
    expect(plain).not.toMatch(ESCAPES);
    expect(plain.split("\n").filter((line) => /\d\*/.test(line))).toHaveLength(1);
    const colour = terminalTable(rows, { width: 200, colour: true });
    expect(colour).toMatch(ESCAPES);
    expect(colour.replace(ESCAPES, "")).not.toContain("*");
  });

  it("lets no escape sequence of a name through", () => {
    const policies = [{ kind: "solo", name: "\u001b[2Jgone\u0007", level: 1 }, POLICIES[2]!];
    const made = madeResults({ policies, worlds: [{ name: "\u001b]0;title\u0007" }] });
    const text = terminalTable(made.map(({ row }) => row)) + terminalChart(made, "regret");
    expect(text).not.toContain("\u001b");
    expect(text).not.toContain("\u0007");
  });
});

describe("a chart in the terminal", () => {
  it.each([60, 80, 120])("fits into %i columns, with every name beside its line", (width) => {
    const lines = terminalChart(madeResults(), "regret", { width }).trimEnd().split("\n");
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(lines).toHaveLength(1 + 12 + 2);
    for (const name of ["a random", "b solo", "c dccb, sum", "d oracle"]) {
      expect(lines.some((line) => line.endsWith(name))).toBe(true);
    }
  });

  it("draws the higher line higher", () => {
    const lines = terminalChart(madeResults(), "regret", { width: 80 }).split("\n");
    const rowOf = (name: string) => lines.findIndex((line) => line.endsWith(name));
    expect(rowOf("a random")).toBeLessThan(rowOf("b solo"));
    expect(rowOf("b solo")).toBeLessThan(rowOf("c dccb, sum"));
    // Random's end is the highest point of all.
    expect(lines[1]).toMatch(/a a random$/);
  });

  it("turns to a logarithmic scale where the ends are far apart", () => {
    expect(terminalChart(madeResults(), "regret")).toContain("four clusters: regret (logarithmic)");
    const near = madeResults({ policies: POLICIES.slice(1) });
    expect(terminalChart(near, "regret")).toMatch(/^four clusters: regret\n/);
    expect(terminalChart(near, "regret").split("\n")[12]).toMatch(/^ +0 │/);
  });

  it("uses braille and colour only when told so", () => {
    const plain = terminalChart(madeResults(), "regret");
    expect(plain).not.toMatch(/[\u2800-\u28ff]/);
    expect(plain).not.toMatch(ESCAPES);
    const colour = terminalChart(madeResults(), "regret", { colour: true });
    expect(colour).toMatch(/[\u2801-\u28ff]/);
    expect(colour).toMatch(ESCAPES);
  });

  it("has one chart for each world and none where there is no value", () => {
    const worlds = [{ name: "known" }, { name: "unknown", regret: false }];
    const text = terminalChart(madeResults({ worlds }), "regret");
    expect(text).toContain("known: regret");
    expect(text).not.toContain("unknown: regret");
    expect(terminalChart([], "regret")).toBe("");
  });
});

describe("text in columns", () => {
  it("is cut and broken by what it takes up", () => {
    expect(widthOf("数据")).toBe(4);
    expect(clipped("a long name", 6)).toBe("a lon…");
    expect(clipped("数据数据", 5)).toBe("数据…");
    expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
  });
});
