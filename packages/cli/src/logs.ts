import { createReadStream, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { ConfigError, type LogEntry } from "@coterie/core";
import { parseLine } from "@coterie/core/internal";
import type { ProgressLine } from "./progress.ts";

/** Decision logs on the disk, read as one, as often as is asked for and never all at once. */
export class Logs {
  readonly #paths: readonly string[];
  readonly #bytes: number;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#bytes = paths.reduce((sum, path) => sum + sizeOf(path), 0);
  }

  /** Hands over every entry in order; what `take` finds wrong is said with its file and line. */
  async each(
    take: (entry: LogEntry) => void | Promise<void>,
    doing: string,
    progress: ProgressLine,
    signal: AbortSignal,
  ): Promise<void> {
    let before = 0;
    for (const path of this.#paths) {
      const input = createReadStream(path, { signal });
      let number = 0;
      for await (const line of createInterface({ input, crlfDelay: Infinity })) {
        number += 1;
        if (line.trim() !== "")
          await takeAll(parseLine(line, `${path} line ${number}`), take, `${path} line ${number}`);
        progress.show(() => `${doing}: ${percent((before + input.bytesRead) / this.#bytes)}`);
      }
      signal.throwIfAborted();
      before += input.bytesRead;
    }
  }
}

async function takeAll(
  entries: readonly LogEntry[],
  take: (entry: LogEntry) => void | Promise<void>,
  place: string,
): Promise<void> {
  try {
    for (const entry of entries) {
      const taken = take(entry);
      if (taken !== undefined) await taken;
    }
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${place}: ${error.field}`, error.value, error.bound);
    throw error;
  }
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return stats.size;
  throw new ConfigError(path, stats === undefined ? undefined : "a folder", "be a file that can be read");
}

const percent = (part: number): string => `${Math.floor(100 * part)} %`;
