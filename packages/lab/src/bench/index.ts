import { benchChoose } from "./choose.ts";
import { benchCodec } from "./codec.ts";
import { benchInteractions } from "./interactions.ts";
import { benchKernelParts } from "./kernels.ts";
import type { BenchLine } from "./measure.ts";
import { benchRounds, linesOfRounds, type RoundsResult } from "./rounds.ts";

export { lossesOf, parseSaved, type RatioLoss, type SavedBench, savedOf } from "./compare.ts";
export type { BenchLine } from "./measure.ts";
export type { RoundsResult } from "./rounds.ts";

/** Benchmarks that need nothing but the lab. */
export const BENCHES = ["rounds", "kernels", "codec", "choose"] as const;
export type BenchName = (typeof BENCHES)[number];

export interface Benched {
  readonly lines: readonly BenchLine[];
  /** Only of `rounds`. */
  readonly rounds?: RoundsResult;
}

/** Runs one benchmark; each part of it for about `seconds`. */
export function bench(name: BenchName, seconds: number): Benched {
  if (name === "kernels") return { lines: benchKernelParts(seconds) };
  if (name === "codec") return { lines: benchCodec(seconds) };
  if (name === "choose") return { lines: benchChoose(seconds) };
  const rounds = benchRounds(seconds);
  return { lines: [...linesOfRounds(rounds), ...benchInteractions(seconds / 2)], rounds };
}
