/** What every dataset comes down to: the words of its items, and which user has which items. */
export interface Interactions {
  /** The items that have at least one word, ascending: the catalogue. */
  readonly itemIds: readonly number[];
  /** Of each of these items: how often each word was given to it, over all users. */
  readonly words: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** Of each user: its distinct items, ascending, with words or without. */
  readonly usersItems: ReadonlyMap<number, Int32Array>;
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

  /** The user has the item; saying it twice makes no difference. */
  addPair(user: number, item: number): void {
    this.#pairs.add(user, item);
  }

  finish(): Pick<Interactions, "itemIds" | "words" | "usersItems"> {
    const itemIds = [...this.#words.keys()].sort((a, b) => a - b);
    return { itemIds, words: this.#words, usersItems: this.#pairs.byUser() };
  }
}

/** A growing list of (user, item), eight bytes each: MovieLens 25M has twelve million of them. */
class Pairs {
  #users = new Int32Array(1024);
  #items = new Int32Array(1024);
  #count = 0;

  add(user: number, item: number): void {
    if (this.#count === this.#users.length) {
      this.#users = grown(this.#users);
      this.#items = grown(this.#items);
    }
    this.#users[this.#count] = user;
    this.#items[this.#count++] = item;
  }

  /** Distinct items of each user, ascending; users ascending. */
  byUser(): Map<number, Int32Array> {
    const sizes = new Map<number, number>();
    for (let i = 0; i < this.#count; i++) sizes.set(this.#users[i]!, (sizes.get(this.#users[i]!) ?? 0) + 1);
    const lists = new Map<number, Int32Array>();
    for (const user of [...sizes.keys()].sort((a, b) => a - b)) lists.set(user, new Int32Array(sizes.get(user)!));
    for (let i = this.#count - 1; i >= 0; i--) {
      const user = this.#users[i]!;
      const place = sizes.get(user)! - 1;
      lists.get(user)![place] = this.#items[i]!;
      sizes.set(user, place);
    }
    for (const [user, items] of lists) lists.set(user, distinct(items.sort()));
    return lists;
  }
}

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(list.length * 2);
  longer.set(list);
  return longer;
}

function distinct(sorted: Int32Array): Int32Array {
  let kept = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]!;
  return kept === sorted.length ? sorted : sorted.slice(0, kept);
}
