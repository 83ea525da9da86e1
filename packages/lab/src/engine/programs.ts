import { assert } from "@coterie/core/internal";
import type { EngineLayout } from "./layout.ts";

/** Bytes of a row in the scratch space of a replay, as a shift. */
const ROW = 6;
/** The sum with the item before is kept; without it a chain begins. */
const KEEP = 1;

/** Bytes of a round's program: a header, a pair for each row and twice at most two items, each of two words. */
export const programSize = (rows: number): number => 16 + 8 * rows + 2 * itemsSize(rows);
const itemsSize = (rows: number): number => 16 * rows;
const rowsOf = (programBytes: number): number => (programBytes - 16) / 40;

/** Rows of a round, each the sum of two: rows of the round before, and, for the slot of that round, peers. */
interface Terms {
  readonly rows: Uint32Array;
  readonly peers: Uint32Array;
}

/**
 * Who mixed with whom, round by round, in the form in which it is replayed (kernels, assembly/replay.ts). A round has a row
 * for each pair that mixed and for each peer that did not: the sum of two rows of the round before.
 *
 * Rounds are replayed by twos. An item is a row of the first of them, as the sum of two rows of the round before that; a
 * row of the second is the sum of two items that follow one another. Two peers that mixed in the first round share an item,
 * the last term of one's new row and the first of the other's: so items come in chains, and each is read once.
 */
export class Programs {
  readonly #layout: EngineLayout;
  readonly #buffer: () => ArrayBufferLike;
  readonly #peers: number;
  /** The most rows of a round. */
  readonly #most: number;
  /** With whom a peer shares its row of the last round; itself where with nobody. */
  readonly #mates: Int32Array;
  readonly #done: Uint8Array;
  /** What the rows of the last round are sums of, and room for this round's. */
  #terms: Terms;
  #nextTerms: Terms;
  /** Where the rows of the last round stand: the one of the two maps in use. */
  #now = 0;

  constructor(layout: EngineLayout, buffer: () => ArrayBufferLike) {
    this.#layout = layout;
    this.#buffer = buffer;
    this.#peers = layout.context.peers;
    this.#most = rowsOf(layout.context.programBytes);
    this.#mates = Int32Array.from({ length: this.#peers }, (_, i) => i);
    this.#done = new Uint8Array(this.#peers);
    const size = 2 * (this.#peers + 1);
    const zeros = (): Uint32Array => new Uint32Array(size).fill(this.zero);
    this.#terms = { rows: zeros(), peers: zeros() };
    this.#nextTerms = { rows: zeros(), peers: zeros() };
    for (const at of layout.rowsAt) new Uint32Array(buffer(), at, layout.padded).fill(this.zero);
  }

  /** The row that is all zeros. */
  get zero(): number {
    return this.#peers << ROW;
  }

  get rowsAt(): number {
    return this.#layout.rowsAt[this.#now]!;
  }

  /** Peers as rows: the map of a slot that was never mixed. */
  identity(): number {
    const rows = new Uint32Array(this.#buffer(), this.#layout.rowsAt[1 - this.#now]!, this.#peers);
    for (let i = 0; i < this.#peers; i++) rows[i] = i << ROW;
    return this.#layout.rowsAt[1 - this.#now]!;
  }

  /** Writes the program of a round: peer i takes the mean of itself and sources[i] (itself where it did not mix). */
  write(index: number, sources: Int32Array, resets: readonly number[]): void {
    const { context, rowsAt } = this.#layout;
    const buffer = this.#buffer();
    const at = context.programsAt + index * context.programBytes;
    const after = new Uint32Array(buffer, rowsAt[1 - this.#now]!, this.#peers);
    const { rows, items } = this.#chain(at, sources, new Uint32Array(buffer, rowsAt[this.#now]!, this.#peers), after);
    const pairsEnd = 16 + 8 * this.#most;
    new Uint32Array(buffer, at, 4).set([rows, items, pairsEnd, pairsEnd + itemsSize(this.#most)]);
    new Uint32Array(buffer, at + 16, 2 * rows).set(this.#nextTerms.peers.subarray(0, 2 * rows));
    for (const peer of resets) after[peer] = this.zero;
    for (let i = 0; i < this.#peers; i++) this.#mates[i] = sources[sources[i]!] === i ? sources[i]! : i;
    [this.#terms, this.#nextTerms] = [this.#nextTerms, this.#terms];
    this.#now = 1 - this.#now;
  }

  #chain(at: number, sources: Int32Array, before: Uint32Array, after: Uint32Array): { rows: number; items: number } {
    const [done, mates, terms, next] = [this.#done.fill(0), this.#mates, this.#terms, this.#nextTerms];
    const itemsAt = at + 16 + 8 * this.#most;
    const byRow = new Uint32Array(this.#buffer(), itemsAt, 4 * this.#most);
    const byPeer = new Uint32Array(this.#buffer(), itemsAt + itemsSize(this.#most), 4 * this.#most);
    let rows = 0;
    let items = 0;
    const put = (row: number, keep: number): void => {
      const term = row >>> (ROW - 1); // two words a row
      byRow[items] = terms.rows[term]!;
      byPeer[items++] = terms.peers[term]!;
      byRow[items] = terms.rows[term + 1]! | keep;
      byPeer[items++] = terms.peers[term + 1]! | keep;
    };
    for (let first = 0; first < this.#peers; first++) {
      if (done[first] === 1) continue;
      put(before[first]!, 0);
      for (let i = first; ; ) {
        const j = sources[i]!;
        put(before[j]!, KEEP);
        next.rows[2 * rows] = before[i]!;
        next.rows[2 * rows + 1] = before[j]!;
        next.peers[2 * rows] = i << ROW;
        next.peers[2 * rows + 1] = j << ROW;
        after[i] = rows << ROW;
        done[i] = 1;
        if (sources[j] === i) {
          after[j] = rows << ROW;
          done[j] = 1;
        }
        rows += 1;
        // On with a row that begins where this one ended, if there is one left.
        i = done[j] === 1 ? mates[j]! : j;
        if (done[i] === 1 || before[i] !== before[j]) break;
      }
    }
    assert(rows <= this.#most, "a round has no more rows than its pairing allows");
    return { rows, items: items / 2 };
  }
}
