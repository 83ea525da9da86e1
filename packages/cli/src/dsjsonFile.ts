import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { ConfigError, type LogEntry, toDsjson } from "@coterie/core";
import { Joiner } from "@coterie/core/internal";

/** Decisions for VW, as they are settled. */
export class DsjsonFile {
  readonly #joiner = new Joiner();
  readonly #path: string;
  readonly #stream;
  readonly #opened: Promise<unknown>;
  #written = 0;
  #left = 0;

  constructor(path: string) {
    this.#path = path;
    this.#stream = createWriteStream(path, { flags: "wx" });
    this.#opened = once(this.#stream, "open").catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError("--dsjson", path, `be a new file that can be written (${error.code})`);
    });
    // Told where it is waited for.
    this.#opened.catch(() => {});
  }

  async add(entry: LogEntry): Promise<void> {
    const joined = this.#joiner.add(entry);
    if (joined === null) return;
    await this.#opened;
    const line = toDsjson(joined.choice, joined.outcome);
    if (line === null) this.#left += 1;
    else {
      this.#written += 1;
      if (!this.#stream.write(`${JSON.stringify(line)}\n`)) await once(this.#stream, "drain");
    }
  }

  async close(): Promise<void> {
    await this.#opened;
    this.#stream.end();
    await once(this.#stream, "close");
    for (const _ of this.#joiner.waiting) this.#left += 1;
    const rest = this.#left === 0 ? "" : `; ${this.#left} choices without propensities or a reward were left out`;
    process.stderr.write(`wrote ${this.#path}: ${this.#written} decisions${rest}\n`);
  }
}
