import type { Entry } from "./store.ts";

const NOTHING = new Uint8Array(0);

/** An entry that ends in bytes that lie elsewhere, a message say: they are not copied before they are written. Who asks for its body gets a copy. */
export class LongEntry implements Entry {
  constructor(
    readonly kind: string,
    readonly head: Uint8Array,
    readonly tail: Uint8Array,
  ) {}

  get body(): Uint8Array {
    const body = new Uint8Array(bodyBytes(this));
    body.set(this.head);
    body.set(this.tail, this.head.length);
    return body;
  }
}

/** The body of an entry in two pieces. */
export const piecesOf = (entry: Entry): readonly [Uint8Array, Uint8Array] =>
  entry instanceof LongEntry ? [entry.head, entry.tail] : [entry.body, NOTHING];

export const bodyBytes = (entry: Entry): number =>
  entry instanceof LongEntry ? entry.head.length + entry.tail.length : entry.body.length;
