/** Somebody who has bytes on our hands. */
export interface Holder {
  /** How many. */
  readonly held: number;
  /** There is no more room: all that it holds goes. */
  flood(): void;
}

/**
 * Bytes that callers together may have on our hands. Where there are more, whoever holds most goes, not whoever came last: bodies
 * that were begun and do not end must not shut out those of others.
 */
export class Budget {
  #held = 0;
  readonly #holders = new Set<Holder>();

  constructor(readonly most: number) {}

  take(holder: Holder, bytes: number): void {
    this.#held += bytes;
    this.#holders.add(holder);
    while (this.#held > this.most && this.#holders.size > 0) {
      let heaviest = holder;
      for (const other of this.#holders) if (other.held > heaviest.held) heaviest = other;
      this.leave(heaviest);
      heaviest.flood();
    }
  }

  giveBack(holder: Holder, bytes: number): void {
    if (this.#holders.has(holder)) this.#held -= bytes;
  }

  /** It holds nothing any more. */
  leave(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#held -= holder.held;
  }
}
