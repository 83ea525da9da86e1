import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { madeManifest, madeResults } from "../report/testing/results.ts";
import { readRun } from "./read.ts";
import type { Manifest, Result } from "./types.ts";

const making = { seeds: [1, 2, 3] };
const all = madeResults(making);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "coterie-read-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Left {
  readonly results?: readonly Result[];
  readonly manifest?: Partial<Manifest>;
  readonly suffix?: string;
  /** Written after the results as it is. */
  readonly tail?: string;
}

function leave(name: string, { results = all, manifest = {}, suffix = "", tail = "" }: Left = {}): string {
  const directory = join(root, name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `manifest${suffix}.json`), JSON.stringify({ ...madeManifest(making), ...manifest }));
  const lines = results.map((result) => `${JSON.stringify(result)}\n`).join("");
  writeFileSync(join(directory, `rows${suffix}.jsonl`), lines + tail);
  return directory;
}

const withRow = (result: Result, change: Partial<Result["row"]>): Result => ({
  ...result,
  row: { ...result.row, ...change },
});

describe("a run directory", () => {
  it("is read in the order of its cells", async () => {
    const run = await readRun([leave("a", { results: [...all].reverse() })]);
    expect(run.results).toEqual(all);
    expect(run.missing).toEqual([]);
    expect(run).toMatchObject({ name: "made up", cells: 12 });
  });

  it("may end in a torn line, wherever it is torn", async () => {
    const last = JSON.stringify(all.at(-1));
    for (const at of [1, 10, Math.floor(last.length / 2), last.length - 1]) {
      const run = await readRun([leave("torn", { results: all.slice(0, -1), tail: last.slice(0, at) })]);
      expect(run.results).toHaveLength(11);
      expect(run.missing).toEqual([{ cell: 11, world: "four clusters", policy: "oracle", seed: 3 }]);
    }
    const whole = await readRun([leave("torn", { results: all.slice(0, -1), tail: last })]);
    expect(whole.results).toHaveLength(12);
  });

  it("names the line of what is broken in the middle", async () => {
    const directory = leave("broken", { results: all.slice(0, 2), tail: `{"cell":\n${JSON.stringify(all[3])}\n` });
    await expect(readRun([directory])).rejects.toThrow(/rows\.jsonl:3 must be one JSON result/);
    const wrong = leave("wrong", { results: [withRow(all[0]!, { reward: "much" as unknown as number })] });
    await expect(readRun([wrong])).rejects.toThrow(/rows\.jsonl:1: row\.reward must be a finite number, but is "much"/);
    const far = leave("far", { results: [{ ...all[0]!, cell: 12 }] });
    await expect(readRun([far])).rejects.toThrow(/rows\.jsonl:1: cell must be below 12/);
  });

  it("must be one", async () => {
    await expect(readRun([join(root, "nowhere")])).rejects.toThrow(ConfigError);
    await expect(readRun([root])).rejects.toThrow(/must be a run directory/);
    await expect(readRun([])).rejects.toThrow(/at least one run directory/);
    await expect(readRun([leave("newer", { manifest: { format: 2 as 1 } })])).rejects.toThrow(/format must be 1/);
  });

  it("may hold no rows yet", async () => {
    const directory = leave("fresh");
    rmSync(join(directory, "rows.jsonl"));
    const run = await readRun([directory]);
    expect(run.results).toEqual([]);
    expect(run.missing).toHaveLength(12);
    expect(run.missing[0]).toEqual({ cell: 0, world: "four clusters", policy: "random", seed: 1 });
    expect(run.missing[11]).toEqual({ cell: 11, world: "four clusters", policy: "oracle", seed: 3 });
  });
});

describe("several directories", () => {
  const shard = (index: number): Left => ({
    results: all.filter(({ cell }) => cell % 2 === index - 1),
    manifest: { shard: { index, of: 2 } },
    suffix: `.${index}-of-2`,
  });

  it("are merged, as are shards that share one", async () => {
    const apart = await readRun([leave("one", shard(1)), leave("two", shard(2))]);
    expect(apart.results).toEqual(all);
    leave("both", shard(1));
    const together = await readRun([leave("both", shard(2))]);
    expect(together.results).toEqual(all);
    expect(together.sources.map(({ manifest }) => manifest.shard.index)).toEqual([1, 2]);
    expect((await readRun([leave("one", shard(1))])).missing.map(({ cell }) => cell)).toEqual([1, 3, 5, 7, 9, 11]);
  });

  it("may repeat a cell if all but the time is equal to the bit", async () => {
    const slower = all.map((result) => withRow(result, { secondsPerRun: 99 }));
    const run = await readRun([leave("a"), leave("b", { results: slower })]);
    expect(run.results).toEqual(all);
    const other = all.map((result) => withRow(result, { regret: result.row.regret! * (1 + 2 ** -52) }));
    const reading = readRun([leave("a"), leave("c", { results: other })]);
    await expect(reading).rejects.toThrow(ConfigError);
    await expect(reading).rejects.toThrow(/c.rows\.jsonl:1: row\.regret must equal that of .*a.rows\.jsonl:1/);
  });

  it("must be of the same experiment, and both files are named if not", async () => {
    const experiment = { ...(madeManifest(making).experiment as object), rounds: 500 };
    const reading = readRun([leave("a"), leave("b", { manifest: { experiment } })]);
    await expect(reading).rejects.toThrow(ConfigError);
    await expect(reading).rejects.toThrow(
      /b.manifest\.json: experiment\.rounds must be as in .*a.manifest\.json \(1000\) to be merged with it, but is 500/,
    );
  });

  it("do not care for the order of keys", async () => {
    const entries = Object.entries(madeManifest(making).experiment as object).reverse();
    const run = await readRun([leave("a"), leave("b", { manifest: { experiment: Object.fromEntries(entries) } })]);
    expect(run.results).toHaveLength(12);
  });

  it("may not name two cells alike", async () => {
    const twins = all.map((result) =>
      withRow(result, { policy: result.row.kind === "oracle" ? "solo" : result.row.policy }),
    );
    await expect(readRun([leave("twins", { results: twins })])).rejects.toThrow(
      /the name of cell 9 must differ from that of cell 3/,
    );
  });
});
