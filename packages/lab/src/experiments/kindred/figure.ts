import type { FigureSpec } from "../../report/figures/spec.ts";
import type { Run } from "../../results/read.ts";
import type { Row } from "../../results/types.ts";

/** Of each kind of policy the setting that earned most in a world, found in hindsight; kindred as it is. */
function tuned(run: Run): ReadonlySet<string> {
  const means = new Map<string, { row: Row; sum: number; count: number }>();
  for (const { row } of run.results) {
    const key = keyOf(row);
    const found = means.get(key) ?? { row, sum: 0, count: 0 };
    means.set(key, { row, sum: found.sum + row.reward, count: found.count + 1 });
  }
  const best = new Map<string, { key: string; mean: number }>();
  const kept = new Set<string>();
  for (const [key, { row, sum, count }] of means) {
    if (row.kind === "kindred") {
      kept.add(key);
      continue;
    }
    const kind = `${row.world}/${row.kind}`;
    const mean = sum / count;
    if (mean > (best.get(kind)?.mean ?? -Infinity)) best.set(kind, { key, mean });
  }
  for (const { key } of best.values()) kept.add(key);
  return kept;
}

const keyOf = ({ world, policy }: Row): string => `${world}/${policy}`;

export function figures(run: Run): readonly FigureSpec[] {
  const kept = tuned(run);
  const only = (row: Row): boolean => kept.has(keyOf(row)) && row.policy !== "random";
  return [
    {
      id: "kindred-reward",
      title: "Reward over random: kindred, and of each baseline the best setting in hindsight",
      kind: "curves",
      measure: "rewardOverRandom",
      only: (row) => only(row) && !row.policy.startsWith("kindred, "),
    },
    {
      id: "kindred-parts",
      title: "What each part of kindred is worth",
      kind: "dots",
      measure: "rewardOverRandom",
      only: (row) => row.kind === "kindred",
    },
  ];
}
