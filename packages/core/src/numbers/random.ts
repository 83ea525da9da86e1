import { ConfigError } from "../errors.ts";
import { avalanche } from "./hash.ts";
import { cosSin2Pi, ln } from "./ln.ts";

/**
 * Seeded randomness that can be forked.
 *
 * A stream is named by a key of 128 bits. `fork(label)` makes the key of a child from the parent's key and the label
 * alone, never from how much was drawn, so that a stream is the same whatever else draws, in whatever order and thread.
 * Draws come from xoshiro128++ (Blackman and Vigna): 32-bit operations only, the same on every machine.
 */
export class Random {
  readonly #key: Uint32Array;
  readonly #state = new Uint32Array(4);
  readonly #pair = new Float64Array(2);
  #spare = 0;
  #hasSpare = false;

  private constructor(key: Uint32Array) {
    this.#key = key;
    this.rewind();
  }

  /** The stream of a seed: a whole number from 0 to 2^53. */
  static seeded(seed: number): Random {
    if (!Number.isSafeInteger(seed) || seed < 0) throw new ConfigError("seed", seed, "be a whole number of at least 0");
    const root = new Uint32Array([0x636f7465, 0x72696521, 0x9e3779b9, 0x7f4a7c15]);
    return new Random(absorb(absorb(root, seed >>> 0), Math.floor(seed / 4294967296)));
  }

  /** A stream of its own for a purpose ("arms", "noise") or an index (a peer, a round). */
  fork(label: string | number): Random {
    return new Random(childKey(new Uint32Array(4), this.#key, label));
  }

  /** As `into = this.fork(label)`, without making an object: `into` becomes that stream, at its beginning. */
  forkInto(into: Random, label: string | number): Random {
    childKey(into.#key, this.#key, label);
    into.rewind();
    return into;
  }

  /** The four words that name this stream, for a generator that follows many streams at once. */
  copyKey(out: Uint32Array, from = 0): void {
    out.set(this.#key, from);
  }

  /** Back to the beginning of this stream. */
  rewind(): void {
    const state = this.#state;
    state.set(this.#key);
    // xoshiro stands still at zero; no other state is bad.
    if ((state[0]! | state[1]! | state[2]! | state[3]!) === 0) state[0] = 1;
    this.#hasSpare = false;
    for (let i = 0; i < 4; i++) this.uint32();
  }

  uint32(): number {
    const s = this.#state;
    const s0 = s[0]!;
    const s1 = s[1]!;
    const s3 = s[3]!;
    const sum = (s0 + s3) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + s0) >>> 0;
    const s2 = s[2]! ^ s0;
    const t3 = s3 ^ s1;
    s[1] = s1 ^ s2;
    s[0] = s0 ^ t3;
    s[2] = s2 ^ (s1 << 9);
    s[3] = (t3 << 11) | (t3 >>> 21);
    return result;
  }

  /** Uniform in [0, 1), 53 bits. */
  uniform(): number {
    const high = this.uint32() >>> 5;
    return (high * 67108864 + (this.uint32() >>> 6)) * 1.1102230246251565e-16;
  }

  /** Uniform whole number in [0, bound), without bias (rejection). */
  below(bound: number): number {
    if (!Number.isSafeInteger(bound) || bound < 1 || bound > 4294967296) {
      throw new ConfigError("bound", bound, "be a whole number from 1 to 2^32");
    }
    const limit = 4294967296 - (4294967296 % bound);
    let draw = this.uint32();
    while (draw >= limit) draw = this.uint32();
    return draw % bound;
  }

  /**
   * Standard normal, by Box and Muller: two uniforms make two normals, always, so that the number of draws is known
   * beforehand and a vectorised generator can follow the same stream.
   */
  normal(): number {
    if (this.#hasSpare) {
      this.#hasSpare = false;
      return this.#spare;
    }
    const radius = Math.sqrt(-2 * ln(1 - this.uniform()));
    cosSin2Pi(this.#pair, this.uniform());
    this.#spare = radius * this.#pair[1]!;
    this.#hasSpare = true;
    return radius * this.#pair[0]!;
  }

  /** out[from .. from+count) standard normals. */
  normals(out: Float64Array, from = 0, count = out.length - from): Float64Array {
    for (let i = from; i < from + count; i++) out[i] = this.normal();
    return out;
  }

  /** Shuffles the first `count` entries in place (Fisher and Yates). */
  shuffle<T extends { [index: number]: number; readonly length: number }>(list: T, count = list.length): T {
    for (let last = count - 1; last > 0; last--) {
      const pick = this.below(last + 1);
      const held = list[last]!;
      list[last] = list[pick]!;
      list[pick] = held;
    }
    return list;
  }
}

/** out = key of the child `label` of `parent`. Numbers and strings never collide: each begins with its kind. */
function childKey(out: Uint32Array, parent: Uint32Array, label: string | number): Uint32Array {
  out.set(parent);
  if (typeof label === "number") {
    if (!Number.isSafeInteger(label) || label < 0)
      throw new ConfigError("label", label, "be a whole number of at least 0");
    absorb(out, 1);
    absorb(out, label >>> 0);
    absorb(out, Math.floor(label / 4294967296));
  } else {
    absorb(out, 2);
    for (let i = 0; i < label.length; i++) absorb(out, label.charCodeAt(i));
    absorb(out, label.length);
  }
  return out;
}

/** Stirs one word into a key of four, in place: a multiply-xor round over each lane, then between lanes. */
function absorb(key: Uint32Array, word: number): Uint32Array {
  let carry = word | 0;
  for (let round = 0; round < 2; round++) {
    for (let lane = 0; lane < 4; lane++) {
      carry = avalanche((carry ^ key[lane]!) + 0x9e3779b9 * (lane + 1 + 4 * round));
      key[lane] = carry;
    }
  }
  return key;
}
