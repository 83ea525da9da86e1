import { describe, expect, it } from "vitest";
import { madeRun } from "../../report/testing/results.ts";
import { bytesPerRound, bytesThen, lateRegret, linesByRounds, middleSize, regretThen, trackingLine } from "./growth.ts";
import { paperExponent } from "./paper.ts";

/** Regret is level · √rounds; bytes are 1,000 a peer and round; exchanges are only made by dccb. */
const run = madeRun({
  worlds: [8, 16, 32].map((peers) => ({ name: `one taste, ${peers} peers`, peers })),
  policies: [
    { kind: "solo", level: 10, bytes: 0 },
    { kind: "dcb", level: 4 },
  ],
  seeds: [1, 2, 3],
  rounds: 1600,
});
const first = run.results.find(({ row }) => row.kind === "dcb" && row.peers === 16)!;

describe("what grows", () => {
  it("late regret is that of the second half", () => {
    expect(lateRegret.of(first)! / first.row.regret!).toBeCloseTo(1 - Math.SQRT1_2, 6);
  });

  it("bytes per round are all peers' together, and by rounds those since half of them", () => {
    expect(bytesPerRound.of(first)).toBe(16_000);
    expect(bytesThen(first, first.checkpoints.at(-1)!)).toBeCloseTo(16_000, 6);
    expect(bytesThen(first, first.checkpoints[0]!)).toBeNull();
  });

  it("by rounds: the network of the middle size at T/8, T/4, T/2 and T, where there are checkpoints", () => {
    expect(middleSize(run)).toBe(16);
    const [solo, dcb] = linesByRounds(run, "one taste", regretThen);
    // The made-up runs have 20 checkpoints, so none at an eighth.
    expect(solo!.points.map(({ x }) => x)).toEqual([400, 800, 1600]);
    expect(dcb!.law!.exponent.value).toBeCloseTo(0.5, 6);
    expect(linesByRounds(run, "four tastes", regretThen)).toEqual([]);
    // What nobody sends has no power.
    expect(linesByRounds(run, "one taste", bytesThen).map(({ name }) => name)).toEqual(["dcb"]);
  });

  it("tracking who knows what: 4 bytes a peer in every message, so the square of the peers", () => {
    const talking = {
      ...run,
      results: run.results.map((result) => ({
        ...result,
        row: { ...result.row, exchanges: result.row.peers * result.row.rounds },
      })),
    };
    const { points, law } = trackingLine(talking, "one taste");
    expect(points.map(({ x, y }) => [x, y.value])).toEqual([8, 16, 32].map((peers) => [peers, 4 * peers ** 2]));
    expect(law!.exponent.value).toBeCloseTo(2, 10);
  });
});

describe("the paper's column", () => {
  it("has √|V| for those that share, and nothing where it says nothing", () => {
    expect(paperExponent("regret by peers", "solo", true)).toBe(1);
    expect(paperExponent("late regret by peers", "dcb", true)).toBe(0.5);
    expect(paperExponent("regret by peers", "dcb", false)).toBeNull();
    expect(paperExponent("regret by peers", "dccb", false)).toBe(0.5);
    expect(paperExponent("bytes by peers", "pooled", false)).toBe(2);
    expect(paperExponent("bytes by peers", "solo", true)).toBeNull();
    expect(paperExponent("bytes by peers", "who knows what", true)).toBe(2);
    expect(paperExponent("regret by peers", "who knows what", true)).toBeNull();
    expect(paperExponent("regret by rounds", "somebody", true)).toBeNull();
  });
});
