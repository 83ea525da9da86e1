/** Words as hexadecimal digits and back: names of exchanges, of choices, of entries are such digits, and many are read. */

/** The code of each digit, and each digit's value by its code. */
const CODES = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const VALUES = new Uint8Array(128);
for (let value = 0; value < 16; value++) {
  VALUES[CODES[value]!] = value;
  VALUES["0123456789ABCDEF".charCodeAt(value)] = value;
}

/** A byte as the codes of its two digits, one behind the other. */
const PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => (CODES[byte >> 4]! << 8) | CODES[byte & 15]!);
const high = (byte: number): number => PAIRS[byte]! >> 8;
const low = (byte: number): number => PAIRS[byte]! & 0xff;

/** A word of 32 bits as 8 digits. */
export function digitsOf(word: number): string {
  const [a, b, c, d] = [word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff];
  return String.fromCharCode(high(a), low(a), high(b), low(b), high(c), low(c), high(d), low(d));
}

/** The word that `count` digits say, 8 at most, from place `at` on. */
export function wordOf(digits: string, at: number, count = 8): number {
  let word = 0;
  for (let k = at; k < at + count; k++) word = (word << 4) | VALUES[digits.charCodeAt(k) & 0x7f]!;
  return word >>> 0;
}
