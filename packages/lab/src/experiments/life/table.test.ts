import { describe, expect, it } from "vitest";
import { textTable } from "../../report/terminal/table.ts";
import { madeResults } from "../../report/testing/results.ts";
import { tableOf } from "../index.ts";
import { runSmall } from "../testing/runSmall.ts";
import { small } from "../testing/small.ts";
import { life } from "./experiment.ts";
import { lifeTable } from "./table.ts";

describe("the table of life", () => {
  it("has kindred's ratio to solo, to the oracle and to the best of the others", () => {
    const results = madeResults({
      worlds: [{ name: "a" }, { name: "b" }],
      policies: [
        { kind: "kindred", level: 10 },
        { kind: "solo", level: 20 },
        { kind: "oracle", level: 5 },
        { kind: "pooled", level: 8 },
      ],
    });
    const { rows, caption } = lifeTable(results);
    expect(caption).toBe("2 worlds, 8 seeds");
    expect(rows.map((row) => [row[0]!.text, row[4]!.text])).toEqual([
      ["a", "pooled"],
      ["b", "pooled"],
    ]);
    const [, solo, oracle, best] = rows[0]!.map(({ order }) => Number(order));
    expect(Math.abs(solo! - 0.5)).toBeLessThan(0.02);
    expect(Math.abs(oracle! - 2)).toBeLessThan(0.08);
    expect(Math.abs(best! - 1.25)).toBeLessThan(0.05);
    expect(rows[0]![1]!.detail).toMatch(/^0\.\d+ to 0\.\d+$/);
  });

  it("keeps every column where room is short, and every interval in a terminal of 100 columns", () => {
    const { worlds, policies } = life.document as {
      worlds: { name: string }[];
      policies: { kind: string; name?: string }[];
    };
    const levels = policies.map((policy, k) => ({ ...policy, level: 5 + k }));
    const table = lifeTable(madeResults({ worlds, policies: levels, seeds: [1, 2, 3, 4, 5, 6, 7, 8] }));
    for (const width of [80, 100]) expect(textTable(table, { width })).not.toContain("No room");
    expect(textTable(table, { width: 100 }).match(/\d to \d/g)).toHaveLength(3 * worlds.length);
  });

  it("leaves out what did not run, and takes the regret of newcomers where there are any", () => {
    const alone = madeResults({ policies: [{ kind: "kindred", level: 10 }], seeds: [1] });
    expect(lifeTable(alone).rows[0]!.map(({ text }) => text)).toEqual(["four clusters", "–", "–", "–", "–"]);
    const both = madeResults({
      policies: [
        { kind: "kindred", level: 10 },
        { kind: "solo", level: 20 },
      ],
      seeds: [1],
    });
    const newcomers = both.map((result, k) => ({ ...result, row: { ...result.row, newcomerRegret: 3 - k } }));
    expect(lifeTable(newcomers).rows[0]![1]!.order).toBe(3 / 2);
  });

  it("says how often kindred is right after its taste has flipped, beside when it was new", () => {
    const made = madeResults({
      worlds: [{ name: "flip, alone" }],
      policies: [{ kind: "kindred", level: 1 }],
      rounds: 1500,
    });
    // Right in half of the first 500 rounds, in all up to the flip, in a quarter after it.
    const rightAt = new Map([
      [500, 250],
      [1000, 750],
      [1500, 875],
    ]);
    const results = made.map((result) => ({
      ...result,
      checkpoints: [...rightAt].map(([round, rightChoices]) => ({
        ...result.checkpoints[0]!,
        round,
        choices: round,
        rightChoices,
      })),
    }));
    expect(lifeTable(results).notes.at(-1)).toMatch(/0\.25 .*after the flip, and in 0\.50 /);
    // Other rounds were looked at, or another world: nothing is said.
    expect(lifeTable(made).notes.join()).not.toContain("flip");
    const other = results.map((result) => ({ ...result, row: { ...result.row, world: "another" } }));
    expect(lifeTable(other).notes.join()).not.toContain("flip");
  });

  it("has every world of a run, and every cell of it is there", async () => {
    const run = await runSmall(small(life, { seeds: [1] }));
    expect(run.missing).toEqual([]);
    const { worlds } = life.document as { worlds: { name: string; policies?: string[] }[] };
    const table = tableOf(run)!;
    expect(table.rows.map(([world]) => world!.text)).toEqual(worlds.map(({ name }) => name));
    for (const { name, policies } of worlds) {
      const rows = run.results.map(({ row }) => row).filter(({ world }) => world === name);
      expect(rows).toHaveLength(policies?.length ?? 9);
      for (const row of rows) {
        expect(Number.isFinite(row.regret)).toBe(true);
        expect(row.rightShare).toBeGreaterThanOrEqual(0);
        expect(row.rightShare).toBeLessThanOrEqual(1);
        expect(row.newcomerRegret !== null).toBe(name === "newcomers");
        expect(row.stuck !== null).toBe(/^(6|20|48) items/.test(name));
      }
    }
    // Kindred and solo have a ratio in every world.
    for (const row of table.rows) expect(row[1]!.order).toBeGreaterThan(0);
  });
});
