import type { Run } from "../../results/read.ts";
import type { Row } from "../../results/types.ts";

/** Of each kind of policy the setting that earned most in a world, found in hindsight; kindred as it is. */
export function tuned(run: Run): (row: Row) => boolean {
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
  return (row) => kept.has(keyOf(row));
}

const keyOf = ({ world, policy }: Row): string => `${world}/${policy}`;
