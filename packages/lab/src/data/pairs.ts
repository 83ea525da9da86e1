/** A growing list of (user, item, time), twelve bytes each: MovieLens 25M has twelve million of them. */
export class Pairs {
  #users = new Int32Array(1024);
  #items = new Int32Array(1024);
  #times = new Int32Array(1024);
  #timed = true;
  #count = 0;

  add(user: number, item: number, time?: number): void {
    if (this.#count === this.#users.length) {
      this.#users = grown(this.#users);
      this.#items = grown(this.#items);
      this.#times = grown(this.#times);
    }
    this.#users[this.#count] = user;
    this.#items[this.#count] = item;
    if (time === undefined) this.#timed = false;
    else this.#times[this.#count] = time;
    this.#count += 1;
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

  /** Of each of `lists`' items the earliest time; null where a pair came without one. */
  firstTimes(lists: ReadonlyMap<number, Int32Array>): Map<number, Int32Array> | null {
    if (!this.#timed) return null;
    const times = new Map<number, Int32Array>();
    for (const [user, items] of lists) times.set(user, new Int32Array(items.length).fill(LATEST));
    for (let i = 0; i < this.#count; i++) {
      const user = this.#users[i]!;
      const own = times.get(user)!;
      const place = placeOf(lists.get(user)!, this.#items[i]!);
      own[place] = Math.min(own[place]!, this.#times[i]!);
    }
    return times;
  }
}

const LATEST = 2147483647;

/** Where `item` stands in an ascending list that holds it. */
function placeOf(items: Int32Array, item: number): number {
  let low = 0;
  for (let high = items.length - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (items[middle]! < item) low = middle + 1;
    else high = middle;
  }
  return low;
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
