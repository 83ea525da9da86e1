/**
 * Which of the slots that wait are not zero, peer by peer: what an exchange would carry. All of them are, until a reset
 * empties a buffer; from then on a bit is kept for each slot.
 */
export class Filled {
  readonly #peers: number;
  readonly #words: number;
  readonly #slots: number;
  #bits: Uint32Array | null = null;
  #next: Uint32Array;

  constructor(peers: number, slots: number) {
    this.#peers = peers;
    this.#slots = slots;
    this.#words = Math.ceil(slots / 32);
    this.#next = new Uint32Array(0);
  }

  /** How many of the peer's `held` slots are not zero. */
  count(peer: number, held: number): number {
    if (this.#bits === null) return held;
    let count = 0;
    for (let w = peer * this.#words; w < (peer + 1) * this.#words; w++) count += ones(this.#bits[w]!);
    return count;
  }

  /** Peer i takes in what sources[i] holds; everyone reads everyone as before. */
  mix(sources: Int32Array): void {
    if (this.#bits === null) return;
    const [bits, next, words] = [this.#bits, this.#next, this.#words];
    for (let i = 0; i < this.#peers; i++) {
      const j = sources[i]!;
      for (let w = 0; w < words; w++) next[i * words + w] = bits[i * words + w]! | bits[j * words + w]!;
    }
    this.#bits = next;
    this.#next = bits;
  }

  /** The peer's buffer is emptied; `waiting` are the slots that are held. */
  reset(peer: number, waiting: Iterable<number>): void {
    this.#bits ??= this.#allFilled(waiting);
    this.#bits.fill(0, peer * this.#words, (peer + 1) * this.#words);
  }

  /** A slot is appended for everyone, or leaves everyone's buffer. */
  set(slot: number, filled: boolean): void {
    if (this.#bits === null) return;
    const [word, bit] = [slot >> 5, 1 << (slot & 31)];
    for (let at = word; at < this.#bits.length; at += this.#words) {
      if (filled) this.#bits[at]! |= bit;
      else this.#bits[at]! &= ~bit;
    }
  }

  #allFilled(waiting: Iterable<number>): Uint32Array {
    const bits = new Uint32Array(this.#peers * this.#words);
    this.#next = new Uint32Array(bits.length);
    for (const slot of waiting) {
      if (slot >= this.#slots) continue;
      for (let at = slot >> 5; at < bits.length; at += this.#words) bits[at]! |= 1 << (slot & 31);
    }
    return bits;
  }
}

function ones(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
