// Traces small enough to check by hand. With one feature and the one arm [1], the gram is 1 + the weight of what is
// counted and the moment is the weighted sum of its rewards.
import { type OracleAnswer, type OracleParameters, type OracleRound, type OracleTrace, oracle } from "./oracle.ts";

export type Variant = Omit<OracleParameters, "radius">;

/** rewards[round][peer], and what else the rounds hold. */
export const counting = (
  algorithm: OracleTrace["algorithm"],
  parameters: Variant,
  rewards: number[][],
  more: Partial<OracleRound>[] = [],
): OracleAnswer =>
  oracle({
    algorithm,
    peers: rewards[0].length,
    dimension: 1,
    parameters: { radius: { kind: "practical", alpha: 0 }, ...parameters },
    rounds: rewards.map((row, k) => ({ arms: row.map(() => [[1]]), rewards: row.map((r) => [r]), ...more[k] })),
  });

export const grams = (answer: OracleAnswer) => answer.final.map(({ gram }) => gram[0][0]);
export const moments = (answer: OracleAnswer) => answer.final.map(({ moment }) => moment[0]);
export const scoresIn = (answer: OracleAnswer, t: number) => answer.rounds[t - 1].scores.map(([score]) => score);
