import { type BenchSize, batchedRounds, plainRounds, SIZES } from "./drawn.ts";
import { type BenchLine, bestOf } from "./measure.ts";
import { multiplyAddCall, multiplyAddsIn } from "./roof.ts";
import { workOf } from "./work.ts";

export interface RoundsRow extends BenchSize {
  /** Nanoseconds per peer and round, arms drawn beforehand, one thread. */
  readonly engines: {
    readonly plain: number;
    readonly lazy: number;
    readonly deviation: number;
    readonly collapse: number;
  };
}

export interface RoundsResult {
  readonly rows: readonly RoundsRow[];
  /** How many times faster the exact engine is with two threads, by size. */
  readonly twoThreads: readonly number[];
  /** What part of the machine's multiply-adds the exact engine does, by size. */
  readonly shares: readonly number[];
}

/** Whole dcb rounds: choose, share, promote; core's peer by peer beside the batched engine's ways. */
export function benchRounds(seconds: number): RoundsResult {
  const measured = SIZES.map((size) => benchSize(size, seconds));
  return {
    rows: measured.map(({ row }) => row),
    twoThreads: measured.map(({ twoThreads }) => twoThreads),
    shares: measured.map(({ share }) => share),
  };
}

function benchSize(size: BenchSize, seconds: number): { row: RoundsRow; twoThreads: number; share: number } {
  const engines = {
    lazy: batchedRounds(size, "exact"),
    deviation: batchedRounds(size, "deviation"),
    collapse: batchedRounds(size, "collapse"),
    two: batchedRounds(size, "exact", 2),
  };
  const plain = plainRounds(size);
  const threads = { lazy: engines.lazy.play, two: engines.two.play };
  const calls = {
    plain,
    lazy: engines.lazy.play,
    deviation: engines.deviation.play,
    collapse: engines.collapse.play,
    limit: multiplyAddCall(),
  };
  // Until buffers are full a round promotes nothing.
  for (const call of [...Object.values(calls), threads.two]) for (let round = 0; round < size.L + 20; round++) call();
  // Each several times in a row, as a run would play it: numbers of a round before are in the caches.
  const best = bestOf(calls, seconds, 12);
  // By themselves and for longer, so that there are many tries: two free cores at once are rare on a busy machine.
  const both = bestOf(threads, 2 * seconds, 60);
  for (const { close } of Object.values(engines)) close();
  const perPeer = (time: number): number => time / size.V;
  const { choose, refresh, replay } = workOf(size);
  return {
    row: {
      ...size,
      engines: {
        plain: perPeer(best.plain),
        lazy: perPeer(best.lazy),
        deviation: perPeer(best.deviation),
        collapse: perPeer(best.collapse),
      },
    },
    twoThreads: both.lazy / both.two,
    share: (choose + refresh + replay) / multiplyAddsIn(best.limit) / perPeer(best.lazy),
  };
}

export function linesOfRounds({ rows, twoThreads, shares }: RoundsResult): BenchLine[] {
  return rows.flatMap(({ V, d, K, L, engines }, k) => {
    const size = `V=${V} d=${d} K=${K} L=${L}`;
    const unit = "ns per peer and round";
    const line = (engine: keyof typeof engines): BenchLine => ({
      name: `rounds, ${size}, ${engine}`,
      value: engines[engine],
      unit,
      ...(engine !== "plain" && { ratio: engines.plain / engines[engine], against: "times plain" }),
      ...(engine === "lazy" && { share: shares[k]! }),
    });
    const threads = { name: `rounds, ${size}, lazy, two threads`, value: engines.lazy / twoThreads[k]!, unit };
    return [
      line("plain"),
      line("lazy"),
      line("deviation"),
      line("collapse"),
      { ...threads, ratio: twoThreads[k]!, against: "times one thread" },
    ];
  });
}
