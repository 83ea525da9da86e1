import { appendFileSync, writeFileSync } from "node:fs";
import { DEFAULT_TICK } from "@coterie/net/internal";
import { heapMeter } from "./heap.ts";
import { enoughFor, type Slope, slopeOf } from "./slope.ts";

/** Rounds in an hour of a peer's own clock. */
export const ROUNDS_PER_HOUR = 3_600_000 / DEFAULT_TICK.periodMs;

/** Memory is fitted from this part of the rounds on: before, tables fill up to their bound. */
const WATCHED = 0.4;

/**
 * Notes the memory of a soak. With a file, every sample is a line of JSON there at once, with the slope of the rounds so far: a run
 * that is cut short still has its figure.
 */
export class MemoryWatch {
  readonly #samples: [round: number, bytes: number][] = [];
  readonly #measure = heapMeter();
  readonly #began = performance.now();

  constructor(
    readonly peers: number,
    readonly file: string | undefined,
  ) {
    if (file !== undefined) writeFileSync(file, "");
  }

  /** Measures after this round; `more` goes into the same line of the file. */
  note(round: number, more: Readonly<Record<string, number>>): void {
    const bytes = this.#measure();
    this.#samples.push([round, bytes]);
    if (this.file === undefined) return;
    const seconds = Math.round((performance.now() - this.#began) / 1000);
    const rssMb = process.memoryUsage.rss() / 2 ** 20;
    const growth = this.growth(round + 1);
    const soFar = growth === null ? {} : { mbPerHour: growth.perUnit, plusMinus: growth.plusMinus };
    const line = { round, seconds, heapMb: bytes / 2 ** 20, rssMb, ...more, ...soFar };
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  get lastMb(): number {
    return (this.#samples.at(-1)?.[1] ?? 0) / 2 ** 20;
  }

  /** Growth in MB per peer and hour of its own clock, over the watched part of so many rounds; null where they are too few. */
  growth(rounds: number): Slope | null {
    const watched = this.#samples.filter(([round]) => round >= WATCHED * rounds);
    if (!enoughFor(watched)) return null;
    const { perUnit, plusMinus } = slopeOf(watched);
    const scale = ROUNDS_PER_HOUR / this.peers / 2 ** 20;
    return { perUnit: perUnit * scale, plusMinus: plusMinus * scale };
  }
}
