import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { coterie, scratch, start } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const folder = scratch();
afterAll(folder.remove);

const experiment = {
  name: "small",
  worlds: [
    { kind: "clusters", name: "two", peers: 10, clusters: 2, dimension: 4, arms: 5, noise: 0.3 },
    { kind: "clusters", name: "one", peers: 6, clusters: 1, dimension: 3, arms: 4, noise: 0.3 },
  ],
  policies: [
    { kind: "random" },
    { kind: "solo" },
    { kind: "dcb" },
    { kind: "dccb", choice: "thompson" },
    { kind: "club" },
  ],
  rounds: 60,
  seeds: [1, 2, 3],
};
const file = folder.json("small.json", experiment);

type Row = Record<string, unknown>;
const withoutTime = (rows: Row[]): Row[] => rows.map(({ secondsPerRun: _, ...row }) => row);
const rowsIn = (path: string): Row[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Where the second of four shards was run, and killed when two rows were written. */
async function killedAmid(file: string): Promise<string> {
  for (let tries = 0; tries < 20; tries++) {
    const out = folder.path(`sharded-${tries}`);
    const { child, ended } = start(["run", file, "--out", out, "--shard", "2/4", "--jobs", "1"]);
    const rows = join(out, "rows.2-of-4.jsonl");
    while (!existsSync(rows) || readFileSync(rows, "utf8").split("\n").length < 3) await wait(5);
    child.kill("SIGKILL");
    // On a busy machine it may be done before it can be killed.
    if ((await ended).signal === "SIGKILL") return out;
  }
  throw new Error("each time the run was done before it was killed");
}

describe("coterie run", () => {
  it("prints rows as other programs rely on them, the same whatever the number of jobs", async () => {
    const one = await coterie(["run", file, "--json", "--jobs", "1"]);
    const two = await coterie(["run", file, "--json", "--jobs", "2"]);
    expect([one.code, two.code]).toEqual([0, 0]);
    const { experiment: name, rows } = JSON.parse(one.out) as { experiment: string; rows: Row[] };
    expect(name).toBe("small");
    expect(rows.length).toBe(30);
    expect(Object.keys(rows[0]!)).toEqual([
      "world",
      "policy",
      "kind",
      "seed",
      "peers",
      "rounds",
      "reward",
      "rewardOverRandom",
      "regret",
      "sentBytes",
      "exchanges",
      "exactAtRound",
      "rightShare",
      "newcomerRegret",
      "stuck",
      "secondsPerRun",
    ]);
    expect(withoutTime(JSON.parse(two.out).rows)).toEqual(withoutTime(rows));
  });

  it("gives the same rows from four shards, one of them killed and resumed, as from a single run", async () => {
    const long = folder.json("long.json", { ...experiment, rounds: 400 });
    const whole = await coterie(["run", long, "--json"]);
    const out = await killedAmid(long);
    const rows = join(out, "rows.2-of-4.jsonl");
    const before = readFileSync(rows, "utf8").split("\n").slice(0, -1);
    expect(before.length).toBeGreaterThanOrEqual(2);
    const refused = await coterie(["run", long, "--out", out, "--shard", "2/4"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("--resume");
    const ended = await Promise.all(
      ["1/4", "2/4", "3/4", "4/4"].map((shard) => coterie(["run", long, "--out", out, "--resume", "--shard", shard])),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    // Nothing that was done is done again: the lines of before stand as they were.
    expect(readFileSync(rows, "utf8").split("\n").slice(0, before.length)).toEqual(before);
    const merged = [1, 2, 3, 4].flatMap((k) => rowsIn(join(out, `rows.${k}-of-4.jsonl`)));
    merged.sort((a, b) => (a.cell as number) - (b.cell as number));
    expect(withoutTime(merged.map(({ row }) => row as Row))).toEqual(withoutTime(JSON.parse(whole.out).rows));
  });

  it("stops when it is interrupted, keeps what was done, and says so with exit code 130", async () => {
    const long = folder.json("longer.json", { ...experiment, rounds: 2000 });
    const out = folder.path("interrupted");
    const run = start(["run", long, "--out", out, "--jobs", "1"]);
    const rows = folder.path("interrupted/rows.jsonl");
    while (!existsSync(rows) || readFileSync(rows, "utf8") === "") await wait(5);
    run.child.kill("SIGINT");
    const { code } = await run.ended;
    expect(code).toBe(130);
    expect(rowsIn(rows).length).toBeGreaterThanOrEqual(1);
  });

  it("goes on after a torn last line", async () => {
    const out = folder.path("torn");
    await coterie(["run", file, "--out", out]);
    const rows = folder.path("torn/rows.jsonl");
    const lines = readFileSync(rows, "utf8").split("\n");
    writeFileSync(rows, `${lines.slice(0, 7).join("\n")}\n${lines[7]!.slice(0, 40)}`);
    expect((await coterie(["run", file, "--out", out, "--resume"])).code).toBe(0);
    expect(
      rowsIn(rows)
        .map(({ cell }) => cell)
        .sort((a, b) => (a as number) - (b as number)),
    ).toEqual([...Array(30).keys()]);
  });

  it("will not resume another experiment in the same directory", async () => {
    const other = folder.json("other.json", { ...experiment, rounds: 61 });
    const out = folder.path("mine");
    await coterie(["run", file, "--seeds", "1", "--out", out]);
    const { code, err } = await coterie(["run", other, "--seeds", "1", "--out", out, "--resume"]);
    expect(code).toBe(2);
    expect(err).toContain("same experiment");
  });

  it("plays a policy of a module beside the file, in threads; a file that has changed is not gone on with", async () => {
    const module = folder.path("forgetful.mjs");
    copyFileSync(fileURLToPath(new URL("../../../../examples/custom-policy/policy.mjs", import.meta.url)), module);
    // The module finds core where it is: here beside nothing, so by its file.
    const core = new URL("../../../core/dist/index.js", import.meta.url).href;
    writeFileSync(module, readFileSync(module, "utf8").replace("@coterie/core", core));
    const drift = { ...experiment.worlds[0], clusters: 10, noise: 0.1, drift: 0.08 };
    const policies = [{ kind: "solo" }, { module: "./forgetful.mjs", keep: 0.95 }];
    const own = folder.json("own.json", { ...experiment, worlds: [drift], policies, rounds: 150, seeds: [1, 2] });
    const out = folder.path("own");
    const { code } = await coterie(["run", own, "--jobs", "2", "--out", out]);
    expect(code).toBe(0);
    const rows = rowsIn(join(out, "rows.jsonl")).map(({ row }) => row as Row);
    const regret = (kind: string) =>
      rows.reduce((sum, row) => sum + (row.kind === kind ? (row.regret as number) : 0), 0);
    expect(regret("forgetful")).toBeLessThan(0.8 * regret("solo"));
    writeFileSync(module, `${readFileSync(module, "utf8")}\n`);
    const again = await refused(["run", own, "--out", out, "--resume"]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("same policy modules")]);
  });

  it.each([
    ["an unknown field", { ...experiment, colour: 1 }, "colour must not be there"],
    [
      "a wrong type",
      { ...experiment, rounds: "60" },
      'rounds must be a whole number from 1 to 1000000000, but is "60"',
    ],
    [
      "an impossible combination",
      { ...experiment, worlds: [{ ...experiment.worlds[0], clusters: 11 }] },
      "worlds[0].clusters must be at most 10",
    ],
    [
      "fewer peers than one, whatever the clusters",
      { ...experiment, worlds: [{ ...experiment.worlds[0], peers: -3 }] },
      "worlds[0].peers must be a whole number from 1 to 10000000, but is -3",
    ],
    [
      "a policy module that is not there",
      { ...experiment, policies: [{ module: "./none.mjs" }] },
      "bad.json: policies[0].module must be a JavaScript module beside the experiment file",
    ],
    [
      "a dataset that is not there",
      {
        ...experiment,
        worlds: [{ kind: "dataset", dataset: "lastfm", directory: "nowhere", peers: 5, dimension: 2, arms: 3 }],
      },
      "nowhere",
    ],
  ])("refuses %s with file, field, value and bound, exit code 2, nothing written", async (_, document, sentence) => {
    const bad = folder.json("bad.json", document);
    const { code, out, err } = await refused(["run", bad, "--out", folder.path("never")]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(sentence);
    expect(err.trim().split("\n").length).toBe(1);
    expect(existsSync(folder.path("never"))).toBe(false);
  });
});
