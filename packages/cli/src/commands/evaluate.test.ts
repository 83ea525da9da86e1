import { readFileSync, writeFileSync } from "node:fs";
import { Random, solo } from "@coterie/core";
import { createPeer, logFile, oneHot } from "@coterie/net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";

const folder = scratch();
afterAll(folder.remove);
const log = folder.path("decisions.jsonl");
const silent = folder.path("silent.jsonl");
const tested = folder.path("ab.jsonl");
const watched = folder.path("shadow.jsonl");

const CLICKS = { tea: 0.2, cup: 0.5, pot: 0.8 } as const;
type Name = keyof typeof CLICKS;
const items = (["tea", "cup", "pot"] as const).map((name) => ({ name }));
const features = { name: oneHot(["tea", "cup", "pot"]) };
const named = { name: (item: { readonly name: Name }) => item.name };
const clicked = (random: Random, name: Name): number => (random.uniform() < CLICKS[name] ? 1 : 0);

let seed = 7;

/** So many visits to a shop in which a pot is clicked most. */
async function visit(path: string, visits: number, floor: number, variant?: string): Promise<void> {
  const sink = logFile(path);
  const random = Random.seeded(variant === undefined ? 1 : 2);
  const base = { room: "shop", features, policy: solo(), tick: false, seed: seed++ } as const;
  const peer = await createPeer({ ...base, explore: { floor } });
  peer.log(sink, { ...named, ...(variant !== undefined && { variant }) });
  for (let k = 0; k < visits; k++) {
    const choice = peer.choose(items, variant === undefined ? {} : { unit: `${variant} ${k % 50}` });
    await choice.reward(clicked(random, choice.item.name));
  }
  await peer.close();
  await sink.close();
}

async function watch(path: string): Promise<void> {
  const sink = logFile(path);
  const random = Random.seeded(3);
  const peer = await createPeer({ room: "shop", features, policy: solo(), tick: false, seed: 7, shadow: true });
  peer.log(sink, named);
  for (let k = 0; k < 300; k++) {
    const index = random.below(3);
    await peer.watch(items, index, { propensities: [1 / 3, 1 / 3, 1 / 3] }).reward(clicked(random, items[index]!.name));
  }
  await peer.close();
  await sink.close();
}

beforeAll(async () => {
  await visit(log, 500, 0.3);
  await visit(silent, 20, 0);
  await visit(tested, 200, 0.1, "solo");
  await visit(tested, 200, 1, "chance");
  await watch(watched);
});

/** What is left of standard error without lines of progress, which a slow machine gets to see. */
const told = (err: string): string => err.replaceAll(/^.+: \d+(\.\d+)? %\n/gm, "");

interface Target {
  readonly target: string;
  readonly dr: { readonly value: number; readonly low: number; readonly high: number };
}

describe("coterie evaluate", () => {
  it("says what targets would have earned, as JSON and in words", async () => {
    const targets = ["uniform", "item=tea", "first", "linear", '{"kind":"solo"}', "kindred"];
    const args = ["evaluate", log, ...targets.flatMap((target) => ["--target", target])];
    const { code, out, err } = await coterie([...args, "--json"]);
    expect([code, told(err)]).toEqual([0, ""]);
    const report = JSON.parse(out) as { targets: Target[]; choices: number; earned: { value: number } };
    expect(report.choices).toBe(500);
    expect(report.targets.map(({ target }) => target)).toEqual([
      "uniform",
      "item tea",
      "first",
      "linear",
      "solo",
      "kindred",
    ]);
    const [uniform, tea, first, linear] = report.targets;
    expect(uniform!.dr.low).toBeLessThan(0.5);
    expect(uniform!.dr.high).toBeGreaterThan(0.5);
    expect(tea!.dr).toEqual(first!.dr);
    expect(tea!.dr.high).toBeLessThan(linear!.dr.low);
    const words = await coterie([...args, "--confidence", "0.9"]);
    expect(words.code).toBe(0);
    expect(words.out).toContain("500 choices of 500 units: 500 rewarded, 0 expired without a reward, 0 waiting");
    expect(words.out).toContain("Reward per choice, with 90 % intervals:");
    expect(words.out).toMatch(/^item tea +500 .* -0\.\d+ ± 0\.\d+$/m);
  });

  it("reads several logs as one, and says what was earned where that is all that is asked", async () => {
    const { code, out } = await coterie(["evaluate", log, silent, "--target", "logged", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ choices: 520, rewarded: 520, targets: [] });
  });

  it("without propensities ends with 2 and names the option", async () => {
    const { code, out, err } = await coterie(["evaluate", silent]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      "coterie: uniform cannot be evaluated with this log: none of its 20 choices has a propensity; set explore.floor above 0 (--explore-floor), and log anew\n",
    );
  });

  it("writes dsjson, of which it says the same", async () => {
    const file = folder.path("decisions.dsjson");
    const { code, out, err } = await coterie(["evaluate", log, "--dsjson", file, "--json"]);
    expect([code, told(err)]).toEqual([0, `wrote ${file}: 500 decisions\n`]);
    const again = await coterie(["evaluate", file, "--json"]);
    const [ours, theirs] = [out, again.out].map((text) => JSON.parse(text).targets[0]);
    expect(theirs.ips.value).toBeCloseTo(ours.ips.value, 12);
    expect(readFileSync(file, "utf8").split("\n")[0]).toMatch(/^\{"_label_cost":(-1|0),"_label_probability":0\.\d+,/);
    const twice = await coterie(["evaluate", log, "--dsjson", file]);
    expect([twice.code, twice.err]).toEqual([
      2,
      expect.stringContaining("--dsjson must be a new file that can be written (EEXIST)"),
    ]);
  });

  it("compares the variants of an A/B test", async () => {
    const { code, out } = await coterie(["evaluate", tested, "--variants", "--control", "chance", "--json"]);
    expect(code).toBe(0);
    const [chance, alone] = JSON.parse(out).variants;
    expect(chance).toMatchObject({ variant: "chance", choices: 200, units: 50, difference: null });
    expect(alone.difference.low).toBeGreaterThan(0);
    const words = await coterie(["evaluate", tested, "--variants"]);
    expect(words.out).toMatch(/^solo +200 +50 .*\(more\)$/m);
  });

  it("reports on a shadow, also without propensities", async () => {
    const { code, out } = await coterie(["evaluate", watched, "--shadow"]);
    expect(code).toBe(0);
    expect(out).toContain("300 rewarded choices of the app were watched");
    expect(out).toMatch(/more than the app +0\.\d+ ± 0\.\d+ {2}\(more\)/);
    const lines = readFileSync(watched, "utf8").replaceAll(/,"propensity":[^}]*\],/g, ',"propensity":null,');
    writeFileSync(folder.path("blind.jsonl"), lines);
    const blind = await coterie(["evaluate", folder.path("blind.jsonl"), "--shadow"]);
    expect(blind.code).toBe(0);
    expect(blind.out).toContain("the peer would have earned");
    expect(blind.out).toContain("give the app's own propensities to watch()");
  });

  // What else can be wrong with a line is in core/src/evaluate/line.test.ts.
  it.each<[string, (text: string) => string, RegExp]>([
    [
      "cut off in the middle",
      (text) => text.slice(0, -30),
      /line 1000 must be one whole JSON object, not cut off \(.*\), but is "/,
    ],
    [
      "a propensity of 0",
      (text) => text.replace(/"propensity":[\d.]+/, '"propensity":0'),
      /line 1: propensity must be a number above 0, at most 1, but is 0/,
    ],
    ["a choice twice", (text) => text + text, /line 1001: id must belong to one choice only, but is "/],
  ])("refuses a log with %s, by file and line", async (_, damage, sentence) => {
    const path = folder.path("bad.jsonl");
    writeFileSync(path, damage(readFileSync(log, "utf8")));
    const { code, out, err } = await coterie(["evaluate", path]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`coterie: ${path} line`);
    expect(err).toMatch(sentence);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    [["nowhere.jsonl"], "nowhere.jsonl must be a file that can be read, but is missing"],
    [[log, "--variants", "--shadow"], "--shadow must not be combined with --variants"],
  ])("refuses %j with one sentence", async (args, sentence) => {
    const { code, out, err } = await coterie(["evaluate", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`coterie: ${sentence}`);
  });
});
