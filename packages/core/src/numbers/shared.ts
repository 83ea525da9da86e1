/** Of each buffer, and of the longest list that shares one. */
const BUFFER_BYTES = 8192;
const MOST_BYTES = 1024;

/**
 * Where short lists go that are kept in great numbers. V8 looks after every ArrayBuffer by itself, which takes longer than to fill a
 * short one; so many lists have one together, which stays as long as any of them. Each kind has its own, because those of a kind
 * come and go together.
 */
class Shared {
  buffer = new ArrayBuffer(0);
  #taken = 0;

  /** Where so many bytes stand in `buffer`, all zeros; less than 0 where that is too much to share. */
  take(bytes: number): number {
    if (bytes > MOST_BYTES) return -1;
    if (this.#taken + bytes > this.buffer.byteLength) {
      this.buffer = new ArrayBuffer(BUFFER_BYTES);
      this.#taken = 0;
    }
    const from = this.#taken;
    this.#taken += (bytes + 7) & ~7;
    return from;
  }
}

const numbers = new Shared();
const integers = new Shared();
const bytes = new Shared();

export function sharedNumbers(length: number): Float64Array<ArrayBuffer> {
  const from = numbers.take(8 * length);
  return from < 0 ? new Float64Array(length) : new Float64Array(numbers.buffer, from, length);
}

export function sharedIntegers(length: number): Int32Array<ArrayBuffer> {
  const from = integers.take(4 * length);
  return from < 0 ? new Int32Array(length) : new Int32Array(integers.buffer, from, length);
}

export function sharedBytes(length: number): Uint8Array<ArrayBuffer> {
  const from = bytes.take(length);
  return from < 0 ? new Uint8Array(length) : new Uint8Array(bytes.buffer, from, length);
}
