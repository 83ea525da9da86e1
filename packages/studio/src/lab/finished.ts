import type { RunSums } from "./run.ts";

/** Points of a curve that comes with the page. */
export const FINISHED_POINTS = 50;

/** Numbers as they are kept: six digits are more than a curve shows. */
const rounded = (value: number): number => Number(value.toPrecision(6));

export const roundedRun = (points: readonly RunSums[]): RunSums[] =>
  points.map(({ round, regret, reward, bytes }) => ({
    round,
    regret: regret.map(rounded),
    reward: reward.map(rounded),
    bytes,
  }));
