import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "../sha256.ts";
import { nodeSha256 } from "./folder/hash.ts";
import { LINK_BYTES, otherVersion, RECORD_VERSION, ROLES, read, type StoreRecord, write } from "./record.ts";

const record: fc.Arbitrary<StoreRecord> = fc.record({
  role: fc.constantFrom(...ROLES),
  more: fc.boolean(),
  incarnation: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  sequence: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  previous: fc.uint8Array({ minLength: LINK_BYTES, maxLength: LINK_BYTES }),
  kind: fc.stringMatching(/^[a-z0-9.-]{0,20}$/),
  body: fc.uint8Array({ maxLength: 100 }),
});

it("reads back what it wrote, with either hash", () => {
  fc.assert(
    fc.property(record, (given) => {
      const { bytes } = write(given, sha256);
      expect(read(Buffer.from(bytes), nodeSha256)).toMatchObject(given);
      expect(write(given, nodeSha256).bytes).toEqual(bytes);
    }),
  );
});

it("shows any turned byte and any cut", () => {
  fc.assert(
    fc.property(record, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, flip) => {
      const { bytes } = write(given, sha256);
      const turned = bytes.slice();
      turned[at % bytes.length]! ^= flip;
      expect(typeof read(turned, sha256)).toBe("string");
      expect(typeof read(bytes.subarray(0, at % bytes.length), sha256)).toBe("string");
    }),
  );
});

it("names the version it cannot read, and tells it from a turned byte", () => {
  const { bytes } = write(fc.sample(record, { numRuns: 1, seed: 1 })[0]!, sha256);
  bytes[0] = RECORD_VERSION + 1;
  expect([read(bytes, sha256), otherVersion(bytes, sha256)]).toEqual(["does not match its hash", null]);
  const end = bytes.length - LINK_BYTES;
  bytes.set(sha256(bytes, end).subarray(0, LINK_BYTES), end);
  expect(read(bytes, sha256)).toBe("is of version 2, and this program reads version 1");
  expect(otherVersion(bytes, sha256)).toBe(2);
});
