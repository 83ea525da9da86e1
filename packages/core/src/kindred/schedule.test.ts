import { describe, expect, it } from "vitest";
import { Schedule } from "./schedule.ts";

/** The rounds in which an exchange is due, where `left` is all there is to learn. */
function dueRounds(left: number, rounds: number): number[] {
  const schedule = new Schedule();
  const due: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    if (schedule.due) due.push(round);
    schedule.plan(round, false, left);
  }
  return due;
}

describe("exchanges", () => {
  it("are due in every round, and rarer as rounds go on", () => {
    const due = dueRounds(1, 400);
    expect(due.slice(0, 99)).toEqual(Array.from({ length: 99 }, (_, k) => k + 1));
    for (const [k, round] of due.slice(1).entries()) expect(round).toBe(due[k] + 1 + Math.floor(due[k] / 100));
  });

  it("are as many times rarer as less than a fiftieth is left, and never stop", () => {
    expect(dueRounds(0.02, 400)).toEqual(dueRounds(1, 400));
    const halves = dueRounds(0.01, 400);
    for (const [k, round] of halves.slice(1).entries()) expect(round).toBe(halves[k] + 1 + Math.floor(halves[k] / 50));
    expect(dueRounds(1e-12, 400)).toEqual([1, 3, 7, 15, 31, 63, 127, 255]);
    expect(dueRounds(0, 400)).toEqual([1, 3, 7, 15, 31, 63, 127, 255]);
  });

  it("are due again at once where there is more left than it seemed", () => {
    const schedule = new Schedule();
    const play = (from: number, to: number, left: number): number => {
      let due = 0;
      for (let round = from; round < to; round++) {
        schedule.plan(round, false, left);
        if (schedule.due) due += 1;
      }
      return due;
    };
    play(1, 300, 1e-6);
    expect(play(300, 310, 1e-6)).toBe(0);
    expect(play(310, 311, 0.5)).toBe(1);
  });
});

describe("what is done now and then", () => {
  const rounds = (comes: (schedule: Schedule, round: number) => boolean): number[] => {
    const schedule = new Schedule();
    return Array.from({ length: 60 }, (_, k) => k + 1).filter((round) => comes(schedule, round));
  };

  it("is done every 1 + t/4 rounds, the population's fit", () => {
    expect(rounds((schedule, round) => schedule.fits(round))).toEqual([
      1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 29, 37, 47, 59,
    ]);
  });

  it("is done every 1 + t/2 rounds from the second on, groups made afresh", () => {
    const made = rounds((schedule, round) => schedule.regroups(round));
    expect(made).toEqual([2, 4, 7, 11, 17, 26, 40]);
  });

  it("is done in every round up to the 40th, and then rarer, records placed anew", () => {
    const schedule = new Schedule();
    const placed = Array.from({ length: 400 }, (_, k) => k + 1).filter((round) => schedule.tidies(round));
    expect(placed.slice(0, 39)).toEqual(Array.from({ length: 39 }, (_, k) => k + 1));
    expect(placed.slice(39, 43)).toEqual([40, 42, 44, 46]);
    expect(placed.slice(-3)).toEqual([370, 380, 390]);
  });
});
