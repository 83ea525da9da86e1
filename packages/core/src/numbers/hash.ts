/** 32 bits of a text: FNV-1a over its characters, then an avalanche. Another salt and step give other bits. */
export function hashText(text: string, salt = 0, step = 0): number {
  let h = 0x811c9dc5 ^ salt;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193 + step);
  return avalanche(h) >>> 0;
}

/** A bijection of 32 bits in which each input bit moves about half of the output bits (constants of murmur3). */
export function avalanche(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
