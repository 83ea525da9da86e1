/** 32 bits of a text: FNV-1a over its characters, then an avalanche. Another salt and step give other bits. */
export function hashText(text: string, salt = 0, step = 0): number {
  return avalanche(run(text, BEGIN ^ salt, PRIME + step)) >>> 0;
}

/** `hashText` of one text behind another with a space between them, without making a text of both. */
export const hashTexts = (one: string, other: string): number => hashBehind(hashBefore(one), other);

/** What `hashTexts` makes of the first text, for whoever asks for many others behind it. */
export const hashBefore = (one: string): number => Math.imul(run(one, BEGIN, PRIME) ^ SPACE, PRIME);

export const hashBehind = (before: number, other: string): number => avalanche(run(other, before, PRIME)) >>> 0;

const BEGIN = 0x811c9dc5;
const PRIME = 0x01000193;
const SPACE = 0x20;

function run(text: string, from: number, prime: number): number {
  let h = from;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), prime);
  return h;
}

/** A bijection of 32 bits in which each input bit moves about half of the output bits (constants of murmur3). */
export function avalanche(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
