import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hmac } from "../sha256.ts";
import { readToken, tokenKey, writeToken } from "./token.ts";

const KEY = tokenKey(new TextEncoder().encode("a secret of the app"), "news");
const TOKEN = {
  chooser: "12D3KooWBXZbdjUY3uPWESeJp9pM6QfgrGc4CNmy391ocqPoiCzj",
  id: "0123456789abcdef",
  expires: 1.8e12,
};

it("the tag is HMAC-SHA-256 as others compute it", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), (key, message) => {
      expect(Buffer.from(hmac(key, message))).toEqual(createHmac("sha256", key).update(message).digest());
    }),
  );
});

it("a token says what was written, to whoever has the key", () => {
  const text = writeToken(TOKEN, KEY);
  // For an address of a page, and in a cookie, as it is.
  expect(text).toMatch(/^[\w-]{114}$/);
  const { token, isMadeWith } = readToken(text);
  expect(token).toEqual(TOKEN);
  expect(isMadeWith(KEY)).toBe(true);
  // Another room's workers have another key, though they share the secret.
  expect(isMadeWith(tokenKey(new TextEncoder().encode("a secret of the app"), "shop"))).toBe(false);
});

it("a token of which one letter differs is another one, wherever that is", () => {
  const text = writeToken(TOKEN, KEY);
  for (let at = 0; at < text.length; at++) {
    for (const letter of ["A", "Q", "_", "z", "%"]) {
      if (text[at] === letter) continue;
      const altered = text.slice(0, at) + letter + text.slice(at + 1);
      let taken = false;
      try {
        taken = readToken(altered).isMadeWith(KEY);
      } catch (error) {
        expect(error).toMatchObject({ name: "TokenError", reason: "malformed" });
      }
      expect(taken, `letter ${at}`).toBe(false);
    }
  }
});

it("whatever else is given is no token", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (text) => {
      expect(() => readToken(text)).toThrow("this is no token of a choice, or not all of one");
    }),
  );
  expect(() => readToken(writeToken({ ...TOKEN, chooser: "x".repeat(500) }, KEY))).toThrow("no token");
});
