import { hmac as hmacOf } from "@noble/hashes/hmac.js";
import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * SHA-256 of the first `length` bytes, or of all, for hosts whose own one is missing or answers only with a promise.
 * Node has a faster one; both give the same digests, so a store made with one opens with the other.
 */
export const sha256 = (all: Uint8Array, length = all.length): Uint8Array =>
  digest(length === all.length ? all : all.subarray(0, length));

/** Of a text, as 64 hexadecimal digits. */
export const sha256Hex = (text: string): string => bytesToHex(digest(utf8ToBytes(text)));

/** HMAC-SHA-256. At once, unlike that of a browser. */
export const hmac = (key: Uint8Array, message: Uint8Array): Uint8Array => hmacOf(digest, key, message);
