import type { Point } from "../../report/figures/data.ts";
import { valuesAlong } from "../../report/figures/gather.ts";
import type { CellView } from "../../report/figures/spec.ts";
import { type Measure, measures } from "../../report/measures.ts";
import type { Run } from "../../results/read.ts";
import type { Checkpoint, Result } from "../../results/types.ts";
import { type FigureLine, fitted, measuredPoint } from "../figures/series.ts";

/** What grows, and the points that its power is fitted to. */

/** "one taste, 16 peers" → "one taste". */
export const tastes = ({ row }: Pick<CellView, "row">): string => row.world.replace(/, [^,]*$/, "");

/** The last checkpoint at or before half of a round. */
const halfOf = ({ checkpoints }: Result, round: number): Checkpoint | undefined =>
  checkpoints.filter((checkpoint) => checkpoint.round <= round / 2).at(-1);

export const lateRegret: Measure = {
  ...measures.regret,
  name: "lateRegret",
  title: "regret of the second half",
  meaning: "expected regret, sum over peers and the second half of the rounds, when the delay's loss is past",
  of: (result) => {
    const half = halfOf(result, result.row.rounds)?.regret;
    return result.row.regret === null || half === null || half === undefined ? null : result.row.regret - half;
  },
};

export const bytesPerRound: Measure = {
  ...measures.bytes,
  name: "bytesPerRound",
  title: "bytes per round",
  meaning: "bytes sent per round, all peers together",
  of: ({ row }) => (row.sentBytes === null ? null : row.sentBytes / row.rounds),
};

/** Bytes per round between half of a round and it: what a round costs by then. */
export function bytesThen(result: Result, { round, sentBytes }: Checkpoint): number | null {
  const half = halfOf(result, round);
  if (sentBytes === null || half === undefined || half.sentBytes === null) return null;
  return (sentBytes - half.sentBytes) / (round - half.round);
}

/** The network of the middle size stands for how things grow with rounds. */
export function middleSize(run: Run): number {
  const sizes = [...new Set(run.results.map(({ row }) => row.peers))].sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)]!;
}

/** Rounds T/8, T/4, T/2, T, where there is a checkpoint. */
const halvings = (rounds: number): number[] => [8, 4, 2, 1].map((part) => Math.round(rounds / part));

/** One line for each policy, one point for each halving of the rounds, of one kind of world at one size. */
export function linesByRounds(
  run: Run,
  world: string,
  value: (result: Result, checkpoint: Checkpoint) => number | null,
): FigureLine[] {
  const size = middleSize(run);
  const results = run.results.filter((result) => tastes(result) === world && result.row.peers === size);
  const policies = [...new Set(results.map(({ row }) => row.policy))];
  return policies.flatMap((policy) => {
    const own = results.filter(({ row }) => row.policy === policy);
    const points = halvings(own[0]!.row.rounds).flatMap((round) => pointAt(own, round, value));
    return points.length === 0 ? [] : [{ name: policy, points, law: fitted(points) }];
  });
}

function pointAt(
  results: readonly Result[],
  round: number,
  value: (result: Result, checkpoint: Checkpoint) => number | null,
): Point[] {
  const bySeed = new Map<number, number>();
  for (const result of results) {
    const checkpoint = result.checkpoints.find((at) => at.round === round);
    const found = checkpoint === undefined ? null : value(result, checkpoint);
    if (found !== null && found > 0) bySeed.set(result.row.seed, found);
  }
  return bySeed.size === 0 ? [] : [measuredPoint(round, bySeed)];
}

export const regretThen = (result: Result, { round }: Checkpoint): number | null =>
  valuesAlong(result, measures.regret).find(({ x }) => x === round)?.value ?? null;

/** Bytes of an entry of a version vector: the round up to which a peer's observations are known, as the wire has rounds. */
const ENTRY_BYTES = 4;

export const TRACKING = "who knows what";

/**
 * Instead of waiting until doubles have evened out, peers could say in each message which observations they know: for
 * each of |V| peers the last round. This counts that list alone, in every message DCB sends: 4|V| bytes each.
 */
export function trackingLine(run: Run, world: string): FigureLine {
  const dcb = run.results.filter((result) => result.row.kind === "dcb" && tastes(result) === world);
  const sizes = [...new Set(dcb.map(({ row }) => row.peers))].sort((a, b) => a - b);
  const points = sizes.map((peers) => {
    const own = dcb.filter(({ row }) => row.peers === peers);
    const bytes = own.map(({ row }) => [row.seed, (ENTRY_BYTES * row.peers * row.exchanges) / row.rounds] as const);
    return measuredPoint(peers, new Map(bytes));
  });
  return { name: TRACKING, points, law: fitted(points) };
}
