/** Of each buffer, and of the longest list that shares one. */
const BUFFER_BYTES = 8192;
const MOST_BYTES = 1024;

/**
 * Where short lists go that are kept in great numbers. V8 looks after every ArrayBuffer by itself, which takes longer than to fill a
 * short one; so many lists have one together. It stays as long as any of them: lists of one kind, which come and go together, share
 * buffers with no others.
 */
export class Shared {
  #buffer = new ArrayBuffer(0);
  #taken = 0;

  /** All zeros. */
  numbers(length: number): Float64Array<ArrayBuffer> {
    const from = this.#take(8 * length);
    return from < 0 ? new Float64Array(length) : new Float64Array(this.#buffer, from, length);
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    const from = this.#take(length);
    return from < 0 ? new Uint8Array(length) : new Uint8Array(this.#buffer, from, length);
  }

  /** Where so many bytes stand in the buffer; less than 0 where that is too much to share. */
  #take(bytes: number): number {
    if (bytes > MOST_BYTES) return -1;
    if (this.#taken + bytes > this.#buffer.byteLength) {
      this.#buffer = new ArrayBuffer(BUFFER_BYTES);
      this.#taken = 0;
    }
    const from = this.#taken;
    this.#taken += (bytes + 7) & ~7;
    return from;
  }
}

/** What a peer has as long as it lives. */
const lasting = new Shared();

export const sharedNumbers = (length: number): Float64Array<ArrayBuffer> => lasting.numbers(length);
