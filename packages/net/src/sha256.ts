/**
 * SHA-256 (FIPS 180-4) of the first `length` bytes, or of all, for hosts whose own one is missing or answers only with a promise.
 * Node has a faster one; both give the same digests, so a store made with one opens with the other.
 */
export const sha256 = (all: Uint8Array, length = all.length): Uint8Array => {
  const bytes = length === all.length ? all : all.subarray(0, length);
  const state = START.slice();
  const words = new Int32Array(64);
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += 64) mix(state, words, view, at);
  const tail = ending(bytes, whole);
  for (let at = 0; at < tail.byteLength; at += 64) mix(state, words, tail, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setInt32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
};

/** Of a text in ASCII, as 64 hexadecimal digits. */
export function sha256Hex(ascii: string): string {
  const bytes = new Uint8Array(ascii.length);
  for (let i = 0; i < ascii.length; i++) bytes[i] = ascii.charCodeAt(i);
  let hex = "";
  for (const byte of sha256(bytes)) hex += (byte < 16 ? "0" : "") + byte.toString(16);
  return hex;
}

/** What is left over, a bit 1, zeros, and the length in bits: one block or two. */
function ending(bytes: Uint8Array, from: number): DataView {
  const left = bytes.length - from;
  const tail = new Uint8Array(left < 56 ? 64 : 128);
  tail.set(bytes.subarray(from));
  tail[left] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(tail.length - 4, (bytes.length << 3) >>> 0);
  return view;
}

/** One block of 64 bytes. The eight words stay in locals: this loop is the whole cost. */
function mix(state: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/** The largest whole number whose `degree`-th power is at most `value`, bit by bit. */
function root(value: bigint, degree: bigint): bigint {
  let found = 0n;
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((found + bit) ** degree <= value) found += bit;
  return found;
}

const PRIMES: readonly bigint[] = Array.from({ length: 312 }, (_, n) => n)
  .filter((n) => n > 1 && !Array.from({ length: n }, (_, k) => k).some((k) => k > 1 && n % k === 0))
  .map(BigInt);

/** The first 32 bits behind the point of the square roots of 8 primes and of the cube roots of 64. */
const START = Int32Array.from(PRIMES.slice(0, 8), (p) => Number(BigInt.asIntN(32, root(p << 64n, 2n))));
const ROUNDS = Int32Array.from(PRIMES.slice(0, 64), (p) => Number(BigInt.asIntN(32, root(p << 96n, 3n))));
