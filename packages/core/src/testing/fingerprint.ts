/** A short name for some bytes, the same in every engine: FNV-1a in two lanes of different start, as 16 hex digits. */
export function fingerprint(...parts: ArrayLike<number>[]): string {
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  for (const bytes of parts) {
    for (let k = 0; k < bytes.length; k++) {
      a = Math.imul(a ^ bytes[k]!, 0x01000193);
      b = Math.imul(b ^ bytes[k]!, 0x01000193) ^ (a >>> 15);
    }
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
