import { type BenchSize, batchedRounds, plainRounds, SIZES } from "./drawn.ts";
import { type BenchLine, bestOf } from "./measure.ts";
import { multiplyAddCall, multiplyAddsIn } from "./roof.ts";
import { workOf } from "./work.ts";

export interface RoundsRow extends BenchSize {
  /** Nanoseconds per peer and round, arms drawn beforehand. */
  readonly engines: { readonly plain: number; readonly lazy: number };
}

export interface RoundsResult {
  readonly rows: readonly RoundsRow[];
  /** What part of the machine's multiply-adds the batched engine does, by size. */
  readonly shares: readonly number[];
}

/** Whole dcb rounds: choose, share, promote; core's peer by peer beside the batched engine's. */
export function benchRounds(seconds: number): RoundsResult {
  const measured = SIZES.map((size) => benchSize(size, seconds));
  return { rows: measured.map(({ row }) => row), shares: measured.map(({ share }) => share) };
}

function benchSize(size: BenchSize, seconds: number): { row: RoundsRow; share: number } {
  const calls = { plain: plainRounds(size), lazy: batchedRounds(size), limit: multiplyAddCall() };
  // Until buffers are full a round promotes nothing.
  for (const call of Object.values(calls)) for (let round = 0; round < size.L + 20; round++) call();
  // Each several times in a row, as a run would play it: numbers of a round before are in the caches.
  const best = bestOf(calls, seconds, 12);
  const [plain, lazy] = [best.plain / size.V, best.lazy / size.V];
  const { choose, refresh, replay } = workOf(size);
  return {
    row: { ...size, engines: { plain, lazy } },
    share: (choose + refresh + replay) / multiplyAddsIn(best.limit) / lazy,
  };
}

export function linesOfRounds({ rows, shares }: RoundsResult): BenchLine[] {
  return rows.flatMap(({ V, d, K, L, engines: { plain, lazy } }, k) => {
    const name = `rounds, V=${V} d=${d} K=${K} L=${L}`;
    const unit = "ns per peer and round";
    const gain = { ratio: plain / lazy, against: "times plain", share: shares[k]! };
    return [
      { name: `${name}, plain`, value: plain, unit },
      { name: `${name}, lazy`, value: lazy, unit, ...gain },
    ];
  });
}
