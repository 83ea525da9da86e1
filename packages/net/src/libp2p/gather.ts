/** Bytes in one piece or in several. */
export type Piece = Uint8Array | (Iterable<Uint8Array> & { readonly byteLength: number });

/** What waits is no more than this; longer pieces are not copied. */
const MOST_GATHERED = 16 * 1024;

/**
 * Steps of the microtask queue that pieces wait for more. A stream is opened, confirmed or closed in some twenty of them, one promise
 * after the other, and all of them come before the next event. A timer would be late: tabs out of sight have theirs once a second.
 */
const STEPS = 32;

const DONE = Promise.resolve();

/** Puts together what is sent within one moment, in order. What `send` returns is whether there is space, as of the last write. */
export function gather<P extends Piece>(
  write: (bytes: P | Uint8Array) => boolean,
  failed: (error: Error) => void,
): { send(piece: P): boolean; flush(): void } {
  let waiting: P[] = [];
  let held = 0;
  let space = true;
  const flush = (): void => {
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const bytes = others.length === 0 ? first : joined(waiting, held);
    waiting = [];
    held = 0;
    space = write(bytes);
  };
  const wait = (): void => {
    let step = 0;
    const hop = (): void => {
      if (step++ < STEPS && waiting.length > 0) {
        // Less garbage than a promise and two functions for each step, as `await` makes them.
        void DONE.then(hop);
        return;
      }
      try {
        flush();
      } catch (error) {
        failed(error instanceof Error ? error : new Error(String(error)));
      }
    };
    hop();
  };
  const send = (piece: P): boolean => {
    if (held + piece.byteLength > MOST_GATHERED) flush();
    waiting.push(piece);
    held += piece.byteLength;
    if (held > MOST_GATHERED) flush();
    else if (waiting.length === 1) wait();
    return space;
  };
  return { send, flush };
}

function joined(pieces: readonly Piece[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    for (const part of piece instanceof Uint8Array ? [piece] : piece) {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes;
}
