import type { ChoiceEntry, LogEntry, OutcomeEntry } from "./entry.ts";

/** A choice, and what became of it as far as the log knows. */
export interface JoinedChoice {
  readonly choice: ChoiceEntry;
  readonly outcome: OutcomeEntry | undefined;
}

/** Brings choices and outcomes together, entry by entry; keeps only choices whose outcome has not come. */
export class Joiner {
  readonly #waiting = new Map<string, ChoiceEntry>();

  /** The choice that this entry settles; null for all other entries. */
  add(entry: LogEntry): JoinedChoice | null {
    if (entry.kind === "choice") {
      this.#waiting.set(entry.id, entry);
      return null;
    }
    const choice = this.#waiting.get(entry.id);
    if (choice === undefined) return null;
    this.#waiting.delete(entry.id);
    return { choice, outcome: entry };
  }

  /** Choices without an outcome. */
  get waiting(): IterableIterator<ChoiceEntry> {
    return this.#waiting.values();
  }
}
