import { Random } from "@coterie/core";
import { SEED_BYTES } from "../identity/identity.ts";

/** A stream that nobody can guess and no start of any peer has had before. */
export function freshRandom(): Random {
  const [high, low, more, rest] = crypto.getRandomValues(new Uint32Array(4));
  return Random.seeded((high & 0x1fffff) * 4294967296 + low)
    .fork(more)
    .fork(rest);
}

/** 32 bytes for a key: nobody's to guess, unless a test says how they are drawn. */
export function drawSeed(repeatable: Random | null): Uint8Array {
  const words = new Uint32Array(SEED_BYTES / 4);
  if (repeatable === null) crypto.getRandomValues(words);
  else for (let k = 0; k < words.length; k++) words[k] = repeatable.uint32();
  return new Uint8Array(words.buffer);
}
