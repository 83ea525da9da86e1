import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digitsOf, wordOf } from "./hex.ts";

describe("words as digits", () => {
  it("are what the language would write, and come back from anywhere in a text", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(9), (word, at) => {
        const digits = digitsOf(word);
        expect(digits).toBe(word.toString(16).padStart(8, "0"));
        expect(wordOf(`${"f".repeat(at) + digits}f`, at)).toBe(word);
        expect(wordOf(digits.toUpperCase(), 0)).toBe(word);
        expect(wordOf(digits, 4, 4)).toBe(word % 0x10000);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
