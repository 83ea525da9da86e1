import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { report } from "./report.ts";
import { madeManifest, madeResults } from "./testing/results.ts";
import { parseXml } from "./testing/xml.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "coterie-report-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function leaveRun(name: string, results = madeResults()): string {
  writeFileSync(join(directory, "manifest.json"), JSON.stringify(madeManifest()));
  writeFileSync(join(directory, "rows.jsonl"), results.map((result) => `${JSON.stringify(result)}\n`).join(""));
  return join(directory, name);
}

describe("a report", () => {
  it("writes what is asked for, whole, and says what it wrote", async () => {
    const out = leaveRun("out");
    const { files, text, document } = await report([directory], {
      html: join(out, "report.html"),
      svg: join(out, "figures"),
      csv: join(out, "runs.csv"),
      parquet: join(out, "runs.parquet"),
      json: join(out, "report.json"),
    });
    expect(files.map((file) => file.slice(out.length + 1))).toEqual([
      "report.html",
      ...["regret", "regret-per-round", "pairs-right", "regret-and-bytes"].map((id) => join("figures", `${id}.svg`)),
      ...["runs.csv", "runs-checkpoints.csv", "runs.parquet", "runs-checkpoints.parquet", "report.json"],
    ]);
    expect(readdirSync(out).some((name) => name.endsWith(".tmp"))).toBe(false);
    expect(readFileSync(join(out, "runs.csv"), "utf8").trim().split("\n")).toHaveLength(33);
    expect(readFileSync(join(out, "runs-checkpoints.csv"), "utf8").trim().split("\n")).toHaveLength(641);
    parseXml(readFileSync(join(out, "figures", "regret.svg"), "utf8").trim());
    expect(JSON.parse(readFileSync(join(out, "report.json"), "utf8"))).toEqual(JSON.parse(JSON.stringify(document)));
    expect(text).toContain("made up: 32 of 32 runs finished");
    expect(text).toContain("After 1,000 rounds oracle has the least regret");
  });

  it("is the same each time", async () => {
    leaveRun("out");
    const [first, second] = [join(directory, "1.html"), join(directory, "2.html")];
    await report([directory], { html: first });
    await report([directory], { html: second });
    expect(readFileSync(first, "utf8")).toBe(readFileSync(second, "utf8"));
  });

  it("writes no file unasked", async () => {
    leaveRun("out");
    expect((await report([directory])).files).toEqual([]);
    expect(readdirSync(directory).sort()).toEqual(["manifest.json", "rows.jsonl"]);
  });

  it("draws an experiment's own figures, with its own words", async () => {
    leaveRun("out");
    const figures = () => [
      {
        id: "own",
        title: "Own",
        kind: "dots" as const,
        measure: "reward" as const,
        sentence: () => "In its own words.",
      },
    ];
    const { text, files } = await report([directory], { figures, svg: join(directory, "svg") });
    expect(text).toContain("In its own words.");
    expect(files).toEqual([join(directory, "svg", "own.svg")]);
    const twice = () => [...figures(), ...figures()];
    await expect(report([directory], { figures: twice })).rejects.toThrow("an id of its own");
  });

  it("lists unfinished cells, and refuses a run without any", async () => {
    leaveRun("out", madeResults().slice(0, 5));
    const { text, document } = await report([directory]);
    expect(text).toContain("Not finished: 27 runs");
    expect(text).toContain("four clusters, random, seed 6");
    expect(text).toContain("and 7 more");
    expect(document).toMatchObject({ cells: 32, missing: { length: 27 } });
    leaveRun("out", []);
    await expect(report([directory])).rejects.toThrow(/must hold at least one finished run/);
  });
});
