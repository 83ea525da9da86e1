import type { PeerId } from "@coterie/core";
import { digitsOf, wordOf } from "../hex.ts";
import { hmac } from "../sha256.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { TokenError } from "./error.ts";

/** A choice as it is known to every worker of an app. */
export interface Token {
  /** The peer that chose: its store alone decides. */
  readonly chooser: PeerId;
  /** The choice, 16 hex digits. */
  readonly id: string;
  /** From then on nobody takes a report of it, in milliseconds since 1970. */
  readonly expires: number;
}

/**
 *     version u8 | id 8 bytes | expires f64 | chooser, UTF-8 | tag 16 bytes
 *
 * in base64url, little-endian. The tag is the first half of an HMAC-SHA-256 of all before it.
 */
const VERSION = 1;
const HEAD_BYTES = 17;
const TAG_BYTES = 16;
/** A name that is a key has 52 letters. */
const MOST_BYTES = 512;

/** The key of tokens that follows from a secret, for one room: what one room's workers make is nothing in another. */
export const tokenKey = (secret: Uint8Array, room: string): Uint8Array =>
  hmac(secret, new TextEncoder().encode(`coterie token ${VERSION}\n${room}`));

export function writeToken({ chooser, id, expires }: Token, key: Uint8Array): string {
  const name = new TextEncoder().encode(chooser);
  const bytes = new Uint8Array(HEAD_BYTES + name.length + TAG_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(1, wordOf(id, 0), true);
  view.setUint32(5, wordOf(id, 8), true);
  view.setFloat64(9, expires, true);
  bytes.set(name, HEAD_BYTES);
  const end = bytes.length - TAG_BYTES;
  bytes.set(hmac(key, bytes.subarray(0, end)).subarray(0, TAG_BYTES), end);
  return toBase64(bytes);
}

/** What a token says, and whether a key made it. Throws for what is none. */
export function readToken(text: string): { readonly token: Token; readonly isMadeWith: (key: Uint8Array) => boolean } {
  const bytes = text.length > MOST_BYTES ? null : fromBase64(text);
  const end = (bytes?.length ?? 0) - TAG_BYTES;
  if (bytes === null || end <= HEAD_BYTES || bytes[0] !== VERSION) {
    throw new TokenError("malformed", "this is no token of a choice, or not all of one");
  }
  const view = new DataView(bytes.buffer);
  const id = digitsOf(view.getUint32(1, true)) + digitsOf(view.getUint32(5, true));
  const expires = view.getFloat64(9, true);
  const chooser = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, end));
  const isMadeWith = (key: Uint8Array): boolean =>
    alike(hmac(key, bytes.subarray(0, end)).subarray(0, TAG_BYTES), bytes.subarray(end));
  return { token: { chooser, id, expires }, isMadeWith };
}

/** Takes as long wherever two secrets differ. */
function alike(a: Uint8Array, b: Uint8Array): boolean {
  let differ = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) differ |= a[i]! ^ (b[i] ?? 0);
  return differ === 0;
}
