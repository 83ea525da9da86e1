import { hmac as hmacOf } from "@noble/hashes/hmac.js";
import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hash } from "./store/record.ts";
import { subtle } from "./subtle.ts";

/**
 * SHA-256 of the first `length` bytes, or of all, for hosts whose own one is missing or answers only with a promise.
 * Node has a faster one; both give the same digests, so a store made with one opens with the other.
 */
export const sha256 = (all: Uint8Array, length = all.length): Uint8Array =>
  digest(length === all.length ? all : all.subarray(0, length));

/** From so many bytes on a browser digests them beside the page: to ask it takes longer than to digest a few. */
const MANY = 65_536;

/** `sha256` of a page, which must not stand still for long. */
export const pageSha256: Hash =
  subtle === null
    ? sha256
    : Object.assign((all: Uint8Array, length?: number) => sha256(all, length), {
        async beside(all: Uint8Array, length: number): Promise<Uint8Array> {
          if (length < MANY) return sha256(all, length);
          const part = all.subarray(0, length) as Uint8Array<ArrayBuffer>;
          return new Uint8Array(await subtle!.digest("SHA-256", part));
        },
      });

/** Of a text, as 64 hexadecimal digits. */
export const sha256Hex = (text: string): string => bytesToHex(digest(utf8ToBytes(text)));

/** HMAC-SHA-256. At once, unlike that of a browser. */
export const hmac = (key: Uint8Array, message: Uint8Array): Uint8Array => hmacOf(digest, key, message);
