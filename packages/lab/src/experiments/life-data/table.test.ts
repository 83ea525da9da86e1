import { describe, expect, it, vi } from "vitest";
import { folderWith } from "../../data/testing/folders.ts";
import { textTable } from "../../report/terminal/table.ts";
import { madeResults } from "../../report/testing/results.ts";
import { tableOf } from "../index.ts";
import { runSmall } from "../testing/runSmall.ts";
import { lifeData } from "./experiment.ts";
import { lifeDataTable } from "./table.ts";

interface Document {
  readonly worlds: readonly { readonly name: string }[];
  readonly policies: readonly { readonly kind: string; readonly name?: string }[];
}
const { worlds, policies } = lifeData.document as Document;

describe("the table of life-data", () => {
  it("has kindred's ratio to the best solo and to the best of all baselines, where more is better", () => {
    // Reward over random is 1 + 5 / level.
    const results = madeResults({
      worlds: worlds.map(({ name }) => ({ name, regret: false })),
      policies: [
        { kind: "kindred", level: 5 },
        { kind: "solo", name: "solo, α 0.1", level: 20 },
        { kind: "solo", name: "solo, α 1", level: 10 },
        { kind: "pooled", name: "pooled, α 0.3", level: 15 },
        { kind: "club", name: "club 2, α 0.1", level: 2 },
      ],
    });
    const { rows, caption } = lifeDataTable(results);
    expect(caption).toBe("2 worlds, 8 seeds");
    for (const row of rows) {
      expect(row.map(({ order }) => order)).toEqual([
        row[0]!.text,
        expect.closeTo(2 / 1.5, 10),
        expect.closeTo(2 / 3.5, 10),
        "club 2, α 0.1",
      ]);
    }
  });

  it("leaves out what random picks earn too little for", () => {
    const known = madeResults({
      policies: [
        { kind: "kindred", level: 5 },
        { kind: "solo", level: 9 },
      ],
      seeds: [1],
    });
    expect(
      lifeDataTable(known)
        .rows[0]!.slice(1)
        .map(({ text }) => text),
    ).toEqual(["–", "–", "–"]);
  });

  it("keeps every column and every interval in a terminal of 80 columns", () => {
    const levels = policies.map((policy, k) => ({ ...policy, level: 5 + k }));
    const made = madeResults({ worlds: worlds.map(({ name }) => ({ name, regret: false })), policies: levels });
    const text = textTable(lifeDataTable(made), { width: 80 });
    expect(text).not.toContain("No room");
    expect(text.match(/\d to \d/g)).toHaveLength(2 * worlds.length);
  });
});

/** The official files are not in the repository; this runs where COTERIE_DATA names the directory that holds them. */
it.skipIf(!process.env.COTERIE_DATA)(
  "life-data in short: learners earn more than random picks (set COTERIE_DATA)",
  async () => {
    vi.stubEnv("COTERIE_CACHE", await folderWith());
    const short = worlds.map((world) => ({ ...world, peers: 12, dimension: 8, arms: 10 }));
    const run = await runSmall({ ...lifeData.document, worlds: short, rounds: 60, seeds: [101], checkpoints: 6 });
    expect(run.results).toHaveLength(2 * policies.length);
    for (const { row } of run.results) expect(row.rewardOverRandom, `${row.policy}, ${row.world}`).toBeGreaterThan(1);
    const { rows } = tableOf(run)!;
    expect(rows.map(([world]) => world!.text)).toEqual(worlds.map(({ name }) => name));
    for (const [, solo, best] of rows) {
      expect(solo!.order).toBeGreaterThan(0.8);
      expect(best!.order).toBeGreaterThan(0.8);
    }
    vi.unstubAllEnvs();
  },
  300_000,
);
