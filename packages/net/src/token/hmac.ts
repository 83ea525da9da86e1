import { sha256 } from "../sha256.ts";

const BLOCK_BYTES = 64;

/** HMAC-SHA-256 (RFC 2104). At once, unlike that of a browser. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const inner = sha256(joined(block, 0x36, message));
  return sha256(joined(block, 0x5c, inner));
}

function joined(block: Uint8Array, pad: number, rest: Uint8Array): Uint8Array {
  const all = new Uint8Array(BLOCK_BYTES + rest.length);
  for (let i = 0; i < BLOCK_BYTES; i++) all[i] = block[i]! ^ pad;
  all.set(rest, BLOCK_BYTES);
  return all;
}
