import type { PeerId } from "@coterie/core";
import { sameBytes } from "../bytes.ts";

/** Of an Ed25519 public key. */
export const KEY_BYTES = 32;

/** What stands before the key in the 38 bytes that a name spells: an identity hash of 36 bytes, a key of type 1, 32 bytes of it. */
const PREFIX = Uint8Array.of(0x00, 0x24, 0x08, 0x01, 0x12, 0x20);
const NAME_BYTES = PREFIX.length + KEY_BYTES;
const LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const VALUES = new Map(Array.from(LETTERS, (letter, value) => [letter, value]));
/** As many letters as every such name has, and what they begin with. */
const NAME_LETTERS = 52;
const BEGINS = "12D3KooW";

/** The key that a name spells in base 58; null where it is another kind of name. */
export function keyOf(id: PeerId): Uint8Array | null {
  if (id.length !== NAME_LETTERS || !id.startsWith(BEGINS)) return null;
  const bytes = new Uint8Array(NAME_BYTES);
  for (const letter of id) {
    let carry = VALUES.get(letter);
    if (carry === undefined) return null;
    for (let k = NAME_BYTES - 1; k >= 0; k--) {
      carry += 58 * bytes[k]!;
      bytes[k] = carry & 0xff;
      carry >>= 8;
    }
    if (carry > 0) return null;
  }
  if (!PREFIX.every((byte, k) => bytes[k] === byte)) return null;
  return bytes.subarray(PREFIX.length);
}

/** Digits are found three at a time, and bytes taken three at a time. */
const TRIPLE = 58 ** 3;
const CODES = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));

/** Names spelled lately, by the last two bytes of their keys. A peer hears of the same few again and again. */
const RECENT = 256;
const recent: ({ readonly key: Uint8Array; readonly id: PeerId } | undefined)[] = new Array(RECENT);

/** The name of a key. */
export function idOf(key: Uint8Array): PeerId {
  const place = (key[KEY_BYTES - 1]! + 37 * key[KEY_BYTES - 2]!) % RECENT;
  const known = recent[place];
  if (known !== undefined && sameBytes(known.key, key)) return known.id;
  const id = spelled(key);
  recent[place] = { key: new Uint8Array(key), id };
  return id;
}

function spelled(key: Uint8Array): PeerId {
  // The first byte is 0, which base 58 writes as a letter of its own; the other 37 are filled up to 39.
  const bytes = new Uint8Array(NAME_BYTES + 1);
  bytes.set(PREFIX, 1);
  bytes.set(key, 1 + PREFIX.length);
  const triples = new Int32Array((NAME_LETTERS - 1) / 3);
  for (let at = 0; at < bytes.length; at += 3) {
    let carry = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
    for (let k = triples.length - 1; k >= 0; k--) {
      // Below 2⁴²: the product, and what is left of it, are exact.
      const value = carry + 0x100_0000 * triples[k]!;
      carry = Math.floor(value / TRIPLE);
      triples[k] = value - TRIPLE * carry;
    }
  }
  const codes = [CODES[0]!];
  for (let k = 0; k < triples.length; k++) {
    const [high, low] = [Math.floor(triples[k]! / 58), triples[k]! % 58];
    codes.push(CODES[Math.floor(high / 58)]!, CODES[high % 58]!, CODES[low]!);
  }
  return String.fromCharCode.apply(null, codes);
}
