import { describe, expect, it } from "vitest";
import { counting, grams, moments, scoresIn, type Variant } from "./counting.ts";

const swap = { partners: [1, 0] };
const close = (values: number[]) => values.map((value) => expect.closeTo(value, 12));

describe("epoch", () => {
  const rewards = [
    [1, 10],
    [2, 20],
    [4, 40],
    [8, 80],
    [16, 160],
    [32, 320],
  ];
  const everyRound = rewards.map(() => swap);
  const after = (rounds: number, parameters: Variant = {}) =>
    counting("dcb", { buffer: "epoch", delay: { rounds: 2 }, ...parameters }, rewards.slice(0, rounds), everyRound);

  it("promotes the closed epoch when the open one is full", () => {
    expect(grams(after(3))).toEqual([1, 1]);
    expect(grams(after(4))).toEqual([5, 5]);
    expect(moments(after(4))).toEqual([33, 33]);
    expect(grams(after(5))).toEqual([5, 5]);
    expect(grams(after(6))).toEqual([9, 9]);
    expect(moments(after(6))).toEqual([165, 165]);
    expect(after(6).rounds.map(({ buffered }) => buffered)).toEqual(rewards.map(() => [2, 2]));
  });

  it("takes the mean with weight mean", () => {
    expect(grams(after(4, { weight: "mean" }))).toEqual([3, 3]);
    expect(moments(after(4, { weight: "mean" }))).toEqual([16.5, 16.5]);
  });

  it("rounds the delay up and never mixes the open epoch", () => {
    const alone = { partners: [0, 1] };
    const answer = counting("dcb", { buffer: "epoch", delay: { rounds: 1.5 } }, rewards.slice(0, 4), [
      swap,
      swap,
      alone,
      alone,
    ]);
    expect(moments(answer)).toEqual([6, 60]);
  });

  it("bridges both epochs with own observations", () => {
    const answer = after(6, { bridge: true });
    // Before round 4: three own observations, one ridge.
    expect(scoresIn(answer, 4)).toEqual(close([7 / 4, 70 / 4]));
    // Before round 5: rounds 1 and 2 of both are active, rounds 3 and 4 are own.
    expect(scoresIn(answer, 5)).toEqual(close([(33 + 12) / 7, (33 + 120) / 7]));
    expect(moments(answer)).toEqual([165, 165]);
  });

  it("restarts from the open epoch after a reset", () => {
    const parameters: Variant = {
      buffer: "epoch",
      delay: { rounds: 2 },
      threshold: { kind: "practical", factor: 0 },
    };
    const answer = counting("dccb", parameters, rewards.slice(0, 3), everyRound);
    // Pruned in round 2: active is I and both rounds; open, closed at the end of that round, is the same pair.
    expect(answer.rounds[1].neighbourhoods).toEqual([[0], [1]]);
    expect(grams(answer)).toEqual([3, 3]);
    expect(moments(answer)).toEqual([3, 30]);
    const later = counting("dccb", parameters, rewards.slice(0, 4), everyRound);
    expect(grams(later)).toEqual([6, 6]);
    expect(moments(later)).toEqual([6, 60]);
    const bridged = counting("dccb", { ...parameters, bridge: true }, rewards.slice(0, 4), everyRound);
    expect(grams(bridged)).toEqual([3, 3]);
    expect(scoresIn(bridged, 4)).toEqual(close([7 / 4, 70 / 4]));
  });
});

describe("bridge", () => {
  it("counts own buffered observations once and unmixed", () => {
    const rewards = [1, 1, 1, 1].map((one) => [one, 0]);
    const delay = { rounds: 2 };
    const more = rewards.map(() => swap);
    const plain = counting("dcb", { delay, weight: "mean" }, rewards, more);
    const bridged = counting("dcb", { delay, weight: "mean", bridge: true }, rewards, more);
    expect(scoresIn(plain, 3)).toEqual([0, 0]);
    expect(scoresIn(bridged, 3)).toEqual(close([2 / 3, 0]));
    // Round 1 has been promoted as the mean (1, ½); rounds 2 and 3 are still buffered.
    expect(scoresIn(plain, 4)).toEqual(close([1 / 4, 1 / 4]));
    expect(scoresIn(bridged, 4)).toEqual(close([2.5 / 4, 0.5 / 4]));
    expect(bridged.final).toEqual(plain.final);
  });

  it("starts from the bare ridge after a reset", () => {
    const parameters: Variant = {
      delay: { rounds: 1 },
      threshold: { kind: "practical", factor: 0 },
    };
    const rewards = [1, 1, 1].map((one) => [one, -one]);
    const after = (rounds: number, bridge: boolean) =>
      counting("dccb", { ...parameters, bridge }, rewards.slice(0, rounds), [swap, swap, swap]);
    expect([grams(after(2, false)), moments(after(2, false))]).toEqual([
      [3, 3],
      [2, -2],
    ]);
    expect([grams(after(2, true)), moments(after(2, true))]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    // Both know their own two observations once when they choose in round 3.
    expect(scoresIn(after(3, true), 3)).toEqual(close([2 / 3, -2 / 3]));
    // Round 3 promotes the reset's slot: published, the local pair now counts twice.
    expect([grams(after(3, false)), moments(after(3, false))]).toEqual([
      [6, 6],
      [4, -4],
    ]);
    expect([grams(after(3, true)), moments(after(3, true))]).toEqual([
      [3, 3],
      [2, -2],
    ]);
  });
});

describe("a reset with no delay", () => {
  it("counts the local pair 1 + weight times", () => {
    const threshold = { kind: "practical", factor: 0 } as const;
    const answer = counting(
      "dccb",
      { delay: { rounds: 0 }, threshold },
      [
        [1, -1],
        [1, -1],
      ],
      [swap, swap],
    );
    expect(answer.rounds[1].buffered).toEqual([0, 0]);
    expect(grams(answer)).toEqual([6, 6]);
    expect(moments(answer)).toEqual([4, -4]);
  });
});
