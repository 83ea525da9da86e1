import { describe, expect, it } from "vitest";
import { VIEW_MUTANTS } from "../mutants/view.ts";
import { largestStrongPart } from "./graph.ts";
import { playRoom, type RoomOptions, type RoomReport } from "./room.ts";
import { roomText } from "./text.ts";

const options = (change: Partial<RoomOptions>): RoomOptions => ({
  members: 60,
  churn: 0.01,
  kinds: 5,
  learning: "kinds",
  seed: 1,
  seconds: 60,
  halves: false,
  ...change,
});

describe("a room of tabs that come and go", { timeout: 120_000 }, () => {
  const report: RoomReport = playRoom(options({ members: 150, halves: true }));

  it("keeps to what is promised for rooms of any size", () => {
    expect(report.faults).toEqual([]);
    expect(report.roomBytes).toBeLessThan(2000);
    expect(report.failed).toBeLessThan(0.1);
    expect(report.inDegree.max / report.inDegree.p50).toBeLessThan(3);
    expect(report.connected).toBeGreaterThan(0.999);
    expect(report.first.p90).toBeLessThan(1);
    expect(report.size.p50 / 150).toBeGreaterThan(0.5);
    expect(report.size.p50 / 150).toBeLessThan(2);
    expect(report.halved!.seconds).toBeLessThan(40);
  });

  it("seeks kin all over the room", () => {
    // One in five is kin; whoever is met by chance alone is kin that often.
    expect(report.withKin).toBeGreaterThan(0.3);
  });

  it("is told as a table", () => {
    expect(roomText(report)).toContain("strongly connected");
    expect(roomText(report).split("\n")).toHaveLength(13);
  });

  it("a small one is known as a whole", () => {
    const small = playRoom(options({ members: 24, seconds: 120 }));
    expect(small.faults).toEqual([]);
    expect(small.failed).toBeLessThan(0.1);
    const calm = playRoom(options({ members: 24, churn: 0 }));
    expect(calm).toMatchObject({ failed: 0, dead: 0, connected: 1, size: { p10: 24, p50: 24, p90: 24 } });
  });

  it("is played with the shipped kindred too, which finds out who is kin", () => {
    const learns = playRoom(options({ members: 40, seconds: 25, kinds: 2, learning: "kindred" }));
    expect(learns.faults).toEqual([]);
    expect(learns.failed).toBeLessThan(0.1);
    // Records travel, and by chance half of all exchanges would be with kin.
    expect(learns.exchangeBytes).toBeGreaterThan(100);
    expect(learns.withKin).toBeGreaterThan(0.5);
  });

  it("those who come back with their store choose better from the start", () => {
    const learns = { members: 20, seconds: 10, kinds: 2, learning: "kindred" } as const;
    const [fresh, returned] = [0, 1].map((returning) => playRoom(options({ ...learns, returning })));
    expect(returned!.faults).toEqual([]);
    expect(returned!.regret!).toBeLessThan(0.8 * fresh!.regret!);
    const quiet = playRoom(options({ ...learns, noise: 0.1 }));
    expect(quiet.regret!).toBeLessThan(0.8 * fresh!.regret!);
  });

  it("goes the same way with the same seed", () => {
    expect(playRoom(options({ seconds: 10 }))).toEqual(playRoom(options({ seconds: 10 })));
  });
});

describe("a bug planted in the view is caught:", { timeout: 120_000 }, () => {
  it.each(VIEW_MUTANTS.map((mutant) => [mutant.name, mutant] as const))("%s", (_, mutant) => {
    const undo = mutant.plant!();
    try {
      expect(playRoom(options({ churn: 0.02 })).faults).not.toEqual([]);
    } finally {
      undo();
    }
    expect(playRoom(options({ churn: 0.02 })).faults).toEqual([]);
  });
});

it("the largest part in which all reach all", () => {
  expect(largestStrongPart([[1], [2], [0], [0], []])).toBe(3);
  expect(largestStrongPart([[1], [0, 2], [3], [4], [2]])).toBe(3);
  const ring = Array.from({ length: 50_000 }, (_, k) => [(k + 1) % 50_000]);
  expect(largestStrongPart(ring)).toBe(50_000);
  expect(largestStrongPart([[1], [2], []])).toBe(1);
});
