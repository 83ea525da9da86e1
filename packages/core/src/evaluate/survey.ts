import { ConfigError } from "../errors.ts";
import type { ChoiceEntry, LogEntry } from "./entry.ts";

/** What must be known of a log before it is evaluated line by line. */
export interface LogShape {
  /** The names of the coordinates, in the order in which they first appear. */
  readonly features: ReadonlyMap<string, number>;
  /** The length of the longest item. */
  readonly longest: number;
  /** The largest reward, either way. */
  readonly largest: number;
  readonly choices: number;
}

/** The first of two passes over a log. */
export class Survey implements LogShape {
  readonly features = new Map<string, number>();
  longest = 0;
  largest = 0;
  readonly #ids = new Set<string>();

  add(entry: LogEntry): void {
    if (entry.kind === "choice") this.#addChoice(entry);
    else if (entry.reward !== null) this.largest = Math.max(this.largest, Math.abs(entry.reward));
  }

  get choices(): number {
    return this.#ids.size;
  }

  #addChoice({ id, items }: ChoiceEntry): void {
    if (this.#ids.has(id)) throw new ConfigError("id", id, "belong to one choice only");
    this.#ids.add(id);
    for (const { x } of items) {
      let square = 0;
      for (const [name, value] of Object.entries(x)) {
        square += value * value;
        if (!this.features.has(name)) this.features.set(name, this.features.size);
      }
      this.longest = Math.max(this.longest, Math.sqrt(square));
    }
    if (this.features.size > MOST_FEATURES) {
      throw new ConfigError("items", `${this.features.size} names so far`, `have at most ${MOST_FEATURES} coordinates`);
    }
  }
}

/** As many as a peer takes. */
const MOST_FEATURES = 4096;
