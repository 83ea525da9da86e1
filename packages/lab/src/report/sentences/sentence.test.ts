import { describe, expect, it } from "vitest";
import { runOf } from "../../results/read.ts";
import { gather } from "../figures/gather.ts";
import type { FigureSpec } from "../figures/spec.ts";
import { madeManifest, madeResults, madeRun } from "../testing/results.ts";
import { sentenceOf } from "./sentence.ts";

const curves: FigureSpec = { id: "regret", title: "Regret", kind: "curves", measure: "regret" };
const dots: FigureSpec = { id: "regret", title: "Regret", kind: "dots", measure: "regret" };

/** The end of each run, by policy and seed. */
function runWith(ends: Readonly<Record<string, readonly number[]>>) {
  const seeds = Object.values(ends)[0]!.map((_, k) => k + 1);
  const making = { policies: Object.keys(ends).map((kind) => ({ kind, level: 1 })), seeds };
  const results = madeResults(making).map((result) => {
    const regret = ends[result.row.kind]![result.row.seed - 1]!;
    return { ...result, row: { ...result.row, regret } };
  });
  return runOf([{ file: "made/manifest.json", manifest: madeManifest(making) }], results);
}

describe("the sentence of a ranking", () => {
  it("says who is best, by how much, and how the contender stands to solo", () => {
    const text = sentenceOf(
      gather(runWith({ solo: [100, 110, 90], dccb: [108, 118.8, 97.2], oracle: [50, 54, 46] }), dots),
    );
    // By hand: 50 ± 4.3027 · 4/√3; leaving one out the ratios are 0.5, 0.50526, 0.49524, so ± 4.3027 · 0.00579.
    expect(text).toBe(
      "At the end oracle has the least regret (50, 95 % interval 40 to 60), 0.500 times solo's (0.475 to 0.525); " +
        "dccb has 1.08 times solo's (1.08 to 1.08).",
    );
  });

  it("does not call a winner what may be chance", () => {
    const text = sentenceOf(gather(runWith({ solo: [100, 130, 90], dccb: [105, 110, 95] }), dots));
    expect(text).toContain("dccb has the least regret");
    expect(text).toContain("not clearly apart from solo");
    expect(text).not.toContain("times solo's (");
  });

  it("says of a contender behind that the difference is not clear", () => {
    const text = sentenceOf(gather(runWith({ oracle: [10, 11, 9], solo: [100, 130, 90], dccb: [105, 110, 95] }), dots));
    expect(text).toContain("which is no clear difference");
  });

  it("calls equal what is equal", () => {
    const text = sentenceOf(gather(runWith({ solo: [5, 6, 7], dccb: [5, 6, 7] }), dots));
    expect(text).toContain("the same as");
  });

  it("names rounds and worlds", () => {
    const two = sentenceOf(gather(madeRun({ worlds: [{ name: "a" }, { name: "b c" }] }), curves));
    expect(two).toMatch(/^In a after 1,000 rounds oracle has the least regret \(/);
    expect(two).toContain(" In “b c” after 1,000 rounds ");
    expect(two).toContain("“dccb, sum” has 0.");
  });

  it("sums up many panels", () => {
    const worlds = ["a", "b", "c", "d"].map((name) => ({ name }));
    expect(sentenceOf(gather(madeRun({ worlds }), curves))).toMatch(
      /^After 1,000 rounds the least regret is oracle's in all 4 panels; “dccb, sum” has 0\.[\d]+ to 0\.[\d]+ times solo's, clearly less in 4 and clearly more in 0 of 4\.$/,
    );
  });

  it("speaks of one policy alone, and of measures without a good side", () => {
    expect(sentenceOf(gather(runWith({ solo: [5, 6, 7] }), dots))).toMatch(
      /^At the end solo's regret is 6\.0, 95 % interval/,
    );
    const sent = sentenceOf(gather(madeRun(), { ...dots, measure: "bytes" }));
    expect(sent).toContain("lowest bytes per peer and round (0 B in every seed)");
    expect(sent).toContain("“dccb, sum” the highest (4.00 kB in every seed)");
  });

  it("words a ratio as one", () => {
    expect(sentenceOf(gather(madeRun(), { ...curves, relativeTo: "solo" }))).toMatch(
      /oracle has the least regret \(0\.\d+ times solo's, 95 % interval 0\.\d+ to 0\.\d+\)/,
    );
  });
});

describe("the sentence of a parameter", () => {
  const making = {
    worlds: [10, 100, 1000].map((peers) => ({ name: `${peers} peers`, peers })),
    policies: [
      { kind: "solo", level: 20 },
      { kind: "dccb", level: 10 },
    ],
    seeds: [1],
  };
  const against: FigureSpec = { ...curves, kind: "against", x: "row.peers", xTitle: "peers", panel: () => "" };
  const sources = [{ file: "made/manifest.json", manifest: madeManifest(making) }];

  it("says how each line changes, and where one ends that is not as long as the first", () => {
    const results = madeResults(making);
    const whole = sentenceOf(gather(runOf(sources, results), against));
    expect(whole).toMatch(
      /^From peers 10 to 1,000, regret goes: solo from \d+ to \d+ \([^)]*\); dccb from \d+ to \d+ \(/,
    );
    const some = results.filter(({ row }) => row.policy !== "dccb" || row.peers < 1000);
    expect(sentenceOf(gather(runOf(sources, some), against))).toMatch(/; dccb from \d+ to \d+ at 100 \(/);
  });
});

describe("the sentence of a trade-off", () => {
  it("sums up many panels", () => {
    const worlds = ["a", "b", "c", "d"].map((name) => ({ name }));
    const spec: FigureSpec = { id: "t", title: "T", kind: "tradeoff", measure: "regret", price: "bytes" };
    expect(sentenceOf(gather(madeRun({ worlds }), spec))).toMatch(
      /^At the end the least regret is “dccb, sum”'s in all 4 panels; /,
    );
  });

  it("says what the best pays and who pays least", () => {
    const text = sentenceOf(
      gather(madeRun(), { id: "t", title: "T", kind: "tradeoff", measure: "regret", price: "bytes" }),
    );
    expect(text).toMatch(/^“dccb, sum” has the least regret of those shown/);
    expect(text).toContain("at 4.00 kB (bytes per peer and round); solo pays least, 0 B.");
  });
});
