import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const folder = scratch();
afterAll(folder.remove);

const experiment = {
  name: "tiny",
  worlds: [{ kind: "clusters", peers: 6, clusters: 2, dimension: 3, arms: 4, noise: 0.3 }],
  policies: [{ kind: "solo" }, { kind: "dccb" }, { kind: "kindred" }],
  rounds: 30,
  seeds: [1, 2],
};

describe("coterie report", () => {
  const shards = ["1/2", "2/2"];
  beforeAll(async () => {
    const file = folder.json("tiny.json", experiment);
    for (const shard of shards) {
      const { code } = await coterie(["run", file, "--shard", shard, "--out", folder.path(`part-${shard[0]}`)]);
      expect(code).toBe(0);
    }
  });

  it("merges the shards of one experiment and writes what it is asked for", async () => {
    const parts = shards.map((shard) => folder.path(`part-${shard[0]}`));
    const files = [
      "--html",
      "page.html",
      "--csv",
      "rows.csv",
      "--parquet",
      "rows.parquet",
      "--svg",
      "figures",
      "--tables",
      "t.tex",
    ];
    const args = files.map((word) => (word.startsWith("--") ? word : folder.path(word)));
    const { code, out } = await coterie(["report", ...parts, ...args]);
    expect(code).toBe(0);
    expect(out).toContain("6 peers, 30 rounds, 2 seeds");
    const page = readFileSync(folder.path("page.html"), "utf8");
    expect(page).toContain("<svg");
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    expect(readFileSync(folder.path("rows.csv"), "utf8").trim().split("\n").length).toBe(1 + 6);
    expect(existsSync(folder.path("rows-checkpoints.csv"))).toBe(true);
    expect(existsSync(folder.path("rows.parquet"))).toBe(true);
    expect(readdirSync(folder.path("figures")).length).toBeGreaterThan(0);
    expect(readFileSync(folder.path("t.tex"), "utf8")).toContain("\\begin{tabular}");
    expect(out).toContain("With 2 seeds p cannot be below 0.50");
  });

  it("says which runs are missing where a shard is", async () => {
    const { code, out } = await coterie(["report", folder.path("part-1")]);
    expect(code).toBe(0);
    expect(out).toMatch(/3 of 6|missing/);
  });

  it("refuses a directory without results, and a report of nothing", async () => {
    const empty = await refused(["report", folder.path("nowhere")]);
    expect(empty.code).toBe(2);
    expect(empty.err).toContain("nowhere");
    expect((await refused(["report"])).code).toBe(2);
  });
});
