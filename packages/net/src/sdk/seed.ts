import { Random } from "@coterie/core";

/** A stream that nobody can guess and no start of any peer has had before. */
export function freshRandom(): Random {
  const [high, low, more, rest] = crypto.getRandomValues(new Uint32Array(4));
  return Random.seeded((high & 0x1fffff) * 4294967296 + low)
    .fork(more)
    .fork(rest);
}
