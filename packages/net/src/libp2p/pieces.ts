import { Writer } from "@coterie/core";

/** Bytes of a length at most: what is longer than 32 GB is too long for anybody. */
const MOST_PREFIX = 5;

/** What came in on a stream, piece by piece, and the whole messages in it, each behind its length as a varint. */
export class Pieces {
  readonly #pieces: Uint8Array[] = [];
  /** Where the rest of the first piece begins. */
  #at = 0;
  /** Bytes that wait. */
  held = 0;

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.held += piece.length;
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#at = 0;
    this.held = 0;
  }

  /**
   * The next message; null while it is not whole. One that came in one piece stays where it lies: nobody else has use for
   * that memory. Throws what `tooLong` makes as soon as a length above `most` is announced.
   */
  next(most: number, tooLong: (length: number) => Error): Uint8Array | null {
    let length = 0;
    let prefix = 0;
    for (let scale = 1; ; scale *= 128) {
      if (prefix === this.held) return null;
      const byte = this.#byte(prefix);
      prefix += 1;
      length += (byte & 127) * scale;
      if (length > most || prefix > MOST_PREFIX) throw tooLong(length);
      if (byte < 128) break;
    }
    if (this.held < prefix + length) return null;
    this.#take(prefix);
    return this.#take(length);
  }

  #byte(index: number): number {
    let at = this.#at + index;
    let k = 0;
    while (at >= this.#pieces[k]!.length) {
      at -= this.#pieces[k]!.length;
      k += 1;
    }
    return this.#pieces[k]![at]!;
  }

  #take(count: number): Uint8Array {
    this.held -= count;
    const [first] = this.#pieces;
    if (count === 0 || first === undefined) return new Uint8Array(0);
    if (this.#at + count <= first.length) return this.#cut(first, count);
    const bytes = new Uint8Array(count);
    for (let done = 0; done < count; ) {
      const piece = this.#pieces[0]!;
      const part = this.#cut(piece, Math.min(piece.length - this.#at, count - done));
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  /** From the first piece. Not `subarray`: of a Buffer it would be one, whose `slice` is no copy. */
  #cut(first: Uint8Array, count: number): Uint8Array {
    const part = new Uint8Array(first.buffer, first.byteOffset + this.#at, count);
    this.#at += count;
    if (this.#at === first.length) {
      this.#pieces.shift();
      this.#at = 0;
    }
    return part;
  }
}

/** Up to so many bytes a copy costs less than one more piece on its way through the layers below. */
const SHORT = 1024;

/** Messages, each behind its length: in one piece, and the last one in another where that is long. */
export function framed(messages: readonly Uint8Array[]): Uint8Array[] {
  const last = messages.at(-1);
  const apart = last !== undefined && last.length > SHORT;
  const bytes = messages.reduce((sum, { length }) => sum + prefixBytes(length) + length, apart ? -last.length : 0);
  const out = new Writer(bytes);
  for (const message of messages) {
    out.varint(message.length);
    if (!apart || message !== last) out.raw(message);
  }
  return apart ? [out.bytes(), last] : [out.bytes()];
}

/** Of a length as a varint. */
function prefixBytes(length: number): number {
  let bytes = 1;
  for (let rest = length; rest > 127; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}
