import type { Reader, Writer } from "../numbers/bytes.ts";
import { double, words } from "../numbers/double.ts";
import { avalanche } from "../numbers/hash.ts";

/** How many of the last observations are looked at. */
const WINDOW = 64;

/**
 * How often a peer chooses an arm that it has chosen before: the share among its last 64 observations of those whose arm was
 * among the 64 before them. It is 0 where arms are drawn anew each time, and near 1 where one menu comes again and again.
 */
export class Repeats {
  /** Hashes of the last arms, and whether each was a repetition; in turn. */
  readonly #arms = new Uint32Array(WINDOW);
  readonly #again = new Uint8Array(WINDOW);
  #count = 0;
  share = 0;

  observe(vectors: Float64Array, from: number, dimension: number): void {
    const hash = hashOf(vectors, from, dimension);
    const seen = Math.min(this.#count, WINDOW);
    const again = this.#arms.subarray(0, seen).includes(hash) ? 1 : 0;
    const at = this.#count % WINDOW;
    this.#arms[at] = hash;
    this.#again[at] = again;
    this.#count += 1;
    let repeated = 0;
    for (let k = 0; k < WINDOW; k++) repeated += this.#again[k]!;
    this.share = repeated / Math.min(this.#count, WINDOW);
  }

  write(out: Writer): void {
    out.f64(this.#count);
    out.f64(this.share);
    for (let k = 0; k < WINDOW; k++) {
      out.u32(this.#arms[k]!);
      out.u8(this.#again[k]!);
    }
  }

  read(from: Reader): void {
    this.#count = from.f64("repeats");
    this.share = from.f64("repeats");
    for (let k = 0; k < WINDOW; k++) {
      this.#arms[k] = from.u32("repeats");
      this.#again[k] = from.u8("repeats");
    }
  }
}

function hashOf(vectors: Float64Array, from: number, dimension: number): number {
  let hash = 0;
  for (let i = from; i < from + dimension; i++) {
    double[0] = vectors[i]!;
    hash = avalanche(avalanche(hash ^ words[0]!) ^ words[1]!);
  }
  return hash >>> 0;
}
