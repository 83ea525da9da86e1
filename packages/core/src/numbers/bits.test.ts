import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolViolation } from "../errors.ts";
import { bestSplit, bitsOf, folded, MOST_CODE, Packer, riceBits, Unpacker } from "./bits.ts";
import { type Complain, Reader, Writer } from "./bytes.ts";

const complain: Complain = (reason, field, value, bound) => new ProtocolViolation(reason, field, value, bound);

const bitsFrom = (bytes: Uint8Array): Unpacker => new Unpacker(new Reader(bytes, complain), "bits");

describe("bits", () => {
  it("come back in their order, whatever their lengths", () => {
    const one = fc.oneof(
      fc
        .integer({ min: 0, max: 24 })
        .chain((bits) => fc.record({ bits: fc.constant(bits), put: fc.nat(2 ** bits - 1) })),
      fc.record({ split: fc.nat(12), number: fc.integer({ min: -3000, max: 3000 }) }),
    );
    const property = fc.property(fc.array(one, { maxLength: 60 }), (all) => {
      const out = new Writer();
      const packer = new Packer(out);
      let bits = 0;
      for (const each of all) {
        if ("put" in each) packer.put(each.put, each.bits);
        else packer.number(each.number, each.split);
        bits += "put" in each ? each.bits : riceBits(folded(each.number), each.split);
      }
      packer.end();
      expect(out.bytes().length).toBe(Math.ceil(bits / 8));
      const unpacker = bitsFrom(out.bytes());
      for (const each of all) {
        if ("put" in each) expect(unpacker.take(each.bits)).toBe(each.put);
        else expect(unpacker.number(each.split)).toBe(each.number);
      }
      unpacker.end();
    });
    fc.assert(property, { seed: 6, numRuns: 300 });
  });

  it("come back many at a time as they do one by one, and leave what follows", () => {
    const number = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -3000, max: 3000 }));
    const property = fc.property(fc.array(number, { maxLength: 60 }), fc.nat(12), fc.nat(7), (all, split, before) => {
      const out = new Writer();
      const packer = new Packer(out);
      packer.put(0, before);
      for (const each of all) packer.number(each, split);
      packer.end();
      out.u16(0xabcd);
      const from = new Reader(out.bytes(), complain);
      const unpacker = new Unpacker(from, "bits");
      unpacker.take(before);
      const found = new Float64Array(2 * all.length);
      const wanted = Uint8Array.from(found, (_, k) => k & 1);
      unpacker.numbers(found, 0, found.length, wanted, split, 0.5);
      expect([...found]).toEqual(all.flatMap((each) => [0, 0.5 * each]));
      unpacker.end();
      expect(from.u16("rest")).toBe(0xabcd);
    });
    fc.assert(property, { seed: 8, numRuns: 300 });
    const ones = new Uint8Array(MOST_CODE / 8 + 1).fill(0xff);
    const read = (bytes: Uint8Array) => bitsFrom(bytes).numbers(new Float64Array(1), 0, 1, Uint8Array.of(1), 0, 1);
    expect(() => read(ones)).toThrow(/^bits must be below 1048576/);
    expect(() => read(ones.subarray(0, 4))).toThrow(/^bits must have 1 more bytes/);
  });

  it("take no more room than with any other split", () => {
    const room = (codes: readonly number[], split: number): number =>
      codes.reduce((sum, code) => sum + riceBits(code, split), 0);
    fc.assert(
      fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 20 }), (codes) => {
        const best = room(codes, bestSplit(codes, 12));
        for (let split = 0; split <= 12; split++) expect(best).toBeLessThanOrEqual(room(codes, split));
      }),
      { seed: 7 },
    );
  });

  it("are refused where a number never ends", () => {
    const ones = new Uint8Array(MOST_CODE / 8 + 1).fill(0xff);
    expect(() => bitsFrom(ones).natural(0)).toThrow(/^bits must be below 1048576, but is 1048576/);
    expect(() => bitsFrom(ones.subarray(0, 3)).natural(0)).toThrow(ProtocolViolation);
  });

  it("says how many a number takes", () => {
    expect([0, 1, 2, 7, 8].map(bitsOf)).toEqual([0, 1, 2, 3, 4]);
  });
});
