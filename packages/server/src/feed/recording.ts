import { createWriteStream, type WriteStream } from "node:fs";
import { type Beat, type FeedHeader, toLine } from "@coterie/studio";

type Listener = (line: string) => void;

/** Beats kept for those who come late: some four hours of a demo. */
const MOST_LINES = 60_000;

/** A feed as it grows: kept for whoever comes late, told to whoever listens, written to a file if there is one. */
export class Recording {
  readonly header: string;
  readonly #lines: string[] = [];
  readonly #listeners = new Set<Listener>();
  readonly #file: WriteStream | null;
  /** Beats that were dropped from the front, and what they would still be needed for. */
  #dropped = 0;

  constructor(header: FeedHeader, path?: string) {
    this.header = toLine(header);
    this.#file = path === undefined ? null : createWriteStream(path);
    // A full disk must not end the demo; whoever reads the file sees where it stops.
    this.#file?.on("error", (error) => process.stderr.write(`coterie: the recording stops here: ${error.message}\n`));
    this.#file?.write(this.header);
  }

  push(beat: Beat): void {
    const line = toLine(beat);
    this.#file?.write(line);
    this.#lines.push(line);
    if (this.#lines.length > MOST_LINES) this.#dropHalf();
    for (const listener of this.#listeners) listener(line);
  }

  /** Everything so far, and from then on each new line; returns a way to stop. */
  follow(listener: Listener): { past: string[]; stop: () => void } {
    this.#listeners.add(listener);
    return { past: [this.header, ...this.#lines], stop: () => this.#listeners.delete(listener) };
  }

  get dropped(): number {
    return this.#dropped;
  }

  async end(): Promise<void> {
    this.#listeners.clear();
    await new Promise<void>((resolve) => {
      if (this.#file === null || this.#file.destroyed) resolve();
      else this.#file.end(resolve);
    });
  }

  /** Of old beats only what lasts is kept: who came and went, with whom they pool, whom they see, what was done to them. */
  #dropHalf(): void {
    const half = MOST_LINES / 2;
    const kept = this.#lines.splice(0, half).flatMap((line) => {
      const { at, joined, left, pool, lent, sees, size, faults } = JSON.parse(line) as Beat;
      const lasting = { joined, left, pool, lent, sees, size, faults };
      if (Object.values(lasting).every((part) => part === undefined)) return [];
      return [`${JSON.stringify({ at, ...lasting })}\n`];
    });
    this.#dropped += half - kept.length;
    this.#lines.unshift(...kept);
  }
}
