import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sha256, sha256Hex } from "./sha256.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

it("gives the digests of FIPS 180-4", () => {
  expect(hex(sha256(new TextEncoder().encode("abc")))).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  expect(hex(sha256(new Uint8Array(0)))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

it("spells the digest of a text in ASCII", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

it("agrees with Node's for any bytes, wherever they lie in their buffer", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 7 }), (bytes, offset) => {
      const inside = new Uint8Array(bytes.length + offset + 3).fill(9);
      inside.set(bytes, offset);
      const view = inside.subarray(offset, offset + bytes.length);
      expect(hex(sha256(view))).toBe(createHash("sha256").update(bytes).digest("hex"));
    }),
    { numRuns: 300 },
  );
});
