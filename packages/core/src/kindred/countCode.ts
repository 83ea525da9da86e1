import { log2 } from "../numbers/ln.ts";
import { eighthOctave, quarterOctave } from "../numbers/powers.ts";

/** A code beyond all: a want that nothing meets. */
export const NOTHING = 0x7f;

/** From here on counts are told in half octaves: whoever has seen so much learns little from a few more. */
const MANY = 4096;
const CODE_OF_MANY = 1 + 8 * 12;

/**
 * A count in steps of an eighth of an octave, from 1, beyond `MANY` of half an octave; what is compared is always a code with a
 * code. Those of most records are looked up: a greeting asks for that of every record. Evidence is no whole number, and a list that is
 * asked for such an index makes a text of it, which V8 keeps: with thousands of peers that took a third of the time.
 */
export const countCode = (count: number): number =>
  (Number.isInteger(count) ? CODES[count] : undefined) ?? codeOf(count);

function codeOf(count: number): number {
  if (count < 1) return 0;
  if (count < MANY) return 1 + Math.floor(8 * log2(count));
  return Math.min(NOTHING - 1, CODE_OF_MANY + Math.floor(2 * log2(count / MANY)));
}

const CODES = Uint8Array.from({ length: 1024 }, (_, count) => codeOf(count));

/** The least count of a code. */
export function countOf(code: number): number {
  if (code === 0) return 0;
  return code <= CODE_OF_MANY ? eighthOctave(code - 1) : MANY * quarterOctave(2 * (code - CODE_OF_MANY));
}
