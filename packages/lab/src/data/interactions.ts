import { Pairs } from "./pairs.ts";

/** What every dataset comes down to: the words of its items, and which user has which items. */
export interface Interactions {
  /** The items that have at least one word, ascending: the catalogue. */
  readonly itemIds: readonly number[];
  /** Of each of these items: how often each word was given to it, over all users. */
  readonly words: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** Of each user: its distinct items, ascending, with words or without. */
  readonly usersItems: ReadonlyMap<number, Int32Array>;
  /** When the user had each of these items first, in seconds since 1970; null where the files do not say. */
  readonly usersTimes: ReadonlyMap<number, Int32Array> | null;
  /** What was counted on the way, under the names in which the datasets publish their counts. */
  readonly counts: Readonly<Record<string, number>>;
  /** What was odd about the files, and let pass. */
  readonly notes: readonly Note[];
}

/** Rows that were read although they point at something that another file does not list. */
export interface Note {
  readonly what: string;
  readonly rows: number;
  /** Where it stood first, and what. */
  readonly first: string;
}

/** Gathers interactions row by row. */
export class Collector {
  readonly #words = new Map<number, Map<string, number>>();
  readonly #pairs = new Pairs();

  /** Counts each of these words once for an item. */
  addWords(item: number, words: readonly string[]): void {
    if (words.length === 0) return;
    const counts = this.#words.get(item) ?? new Map<string, number>();
    this.#words.set(item, counts);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }

  /**
   * The user has the item, since `time` (seconds since 1970) where that is known. Of an item that is said twice the
   * earlier time counts; one pair without a time, and no times are kept.
   */
  addPair(user: number, item: number, time?: number): void {
    this.#pairs.add(user, item, time);
  }

  finish(): Pick<Interactions, "itemIds" | "words" | "usersItems" | "usersTimes"> {
    const itemIds = [...this.#words.keys()].sort((a, b) => a - b);
    const usersItems = this.#pairs.byUser();
    return { itemIds, words: this.#words, usersItems, usersTimes: this.#pairs.firstTimes(usersItems) };
  }
}
