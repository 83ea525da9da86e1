/**
 * Work in pieces, none of which takes long: each `next` does one. Whoever has time does them one after another; what comes of the work does
 * not depend on when.
 */
export type Work<T = void> = Generator<void, T>;

/** Does all that is left. */
export function allOf<T>(pieces: Work<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}
