import { describe, expect, it } from "vitest";
import { coterie } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

interface StormSize {
  readonly peers: number;
  readonly rounds: number;
}

const SMALL = ["--peers", "5", "--rounds", "24"];

describe("coterie storm", { timeout: 600_000 }, () => {
  it("breaks no promise of the shipped peers in 60 rooms of up to 20 peers and 200 rounds", async () => {
    const { code, out } = await coterie(["storm", "--seeds", "60", "--json"]);
    expect(code).toBe(0);
    const { outcomes } = JSON.parse(out);
    expect(outcomes.length).toBe(60);
    const drawn = (of: "peers" | "rounds"): number[] => outcomes.map((it: StormSize) => it[of]);
    expect([Math.min(...drawn("peers")), Math.max(...drawn("peers"))]).toEqual([4, 20]);
    expect([Math.min(...drawn("rounds")) < 40, Math.max(...drawn("rounds")) > 180]).toEqual([true, true]);
    expect(outcomes.filter(({ failure }: { failure: unknown }) => failure !== null)).toEqual([]);
    // It did storm, and it did look.
    const sum = (name: string): number =>
      outcomes.reduce((total: number, { counts }: { counts: { [name: string]: number } }) => total + counts[name], 0);
    expect(new Set(outcomes.map(({ policy }: { policy: string }) => policy)).size).toBe(4);
    expect(sum("crashes")).toBeGreaterThan(1_200);
    expect(sum("repairs")).toBeGreaterThan(60);
    expect(sum("lost")).toBeGreaterThan(24_000);
    expect(sum("rewards")).toBeGreaterThan(45_000);
    expect(sum("weighed")).toBeGreaterThan(12);
    expect(sum("compared")).toBeGreaterThan(18_000);
  });

  it("plays seeds, says what happened, and plays one again exactly", async () => {
    const all = await coterie(["storm", "--seeds", "3", ...SMALL, "--json"]);
    expect(all.code).toBe(0);
    const { outcomes, story } = JSON.parse(all.out);
    expect(story).toBeNull();
    expect(outcomes.map(({ seed }: { seed: number }) => seed)).toEqual([1, 2, 3]);
    const one = await coterie(["storm", "--seeds", "1", "--from", "2", ...SMALL]);
    expect(one.code).toBe(0);
    expect(one.out).toContain(`trace ${outcomes[1].hash}`);
    expect(one.out).toContain("no check failed");
  });

  it("catches a planted bug, tells its shortest story, and ends with 3", async () => {
    const ended = await coterie(["storm", "--seeds", "20", ...SMALL, "--mutant", "replays-the-log-twice"]);
    expect(ended.code).toBe(3);
    expect(ended.out).toMatch(/^seed \d+ failed \((?:rewards|mass)\): /m);
    expect(ended.out).toMatch(/the shortest story, \d+ of \d+ faults:\n {2}/);
    expect(ended.err).toMatch(/seeds failed, the first is/);
  });

  it("names its mutants, and refuses others in one sentence", async () => {
    const list = await coterie(["storm", "--mutant", "list"]);
    expect(list.out).toContain("no-refusal-record");
    const wrong = await refused(["storm", "--mutant", "nothing-wrong"]);
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toMatch(/--mutant must be one that/);
    expect((await refused(["storm", "--peers", "2"])).code).not.toBe(0);
  });

  it("feeds decoders, and measures attacks", async () => {
    const fuzzed = await coterie(["storm", "--fuzz", "3000", "--json"]);
    expect(fuzzed.code).toBe(0);
    expect(JSON.parse(fuzzed.out)).toMatchObject({ inputs: 3000, findings: [] });
    const attacked = await coterie(["storm", "--attack", "two-faced", "--json"]);
    expect(attacked.code).toBe(0);
    expect(JSON.parse(attacked.out).attacks.length).toBeGreaterThan(1);
  });
});
