import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolViolation } from "../errors.ts";
import { Packer } from "../numbers/bits.ts";
import { type Complain, Reader, Writer } from "../numbers/bytes.ts";
import { Random } from "../numbers/random.ts";
import { range } from "../testing/play.ts";
import { countCode, NOTHING } from "./countCode.ts";
import { KIN } from "./greeting.ts";
import { calledBy, hashesOf } from "./record.ts";
import type { Wants } from "./wantList.ts";
import { readWants, wantsBytes, writeWants } from "./wants.ts";

const complain: Complain = (reason, field, value, bound) => new ProtocolViolation(reason, field, value, bound);

function bytesOf(wants: Wants): Uint8Array {
  const out = new Writer();
  writeWants(out, wants);
  return out.bytes();
}

function wantsFrom(bytes: Uint8Array, size: number): Wants {
  const from = new Reader(bytes, complain);
  const wants = readWants(from, "wants", size);
  from.end("wants");
  return wants;
}

describe("wants", () => {
  it("come back as they were, in as many bytes as was said", () => {
    const hash = fc.oneof(fc.nat((1 << 20) - 1), fc.constantFrom(0, 1, (1 << 20) - 1));
    const want = fc.tuple(fc.nat(NOTHING), fc.boolean()).map(([code, kin]) => code | (kin ? KIN : 0));
    const property = fc.property(fc.array(fc.tuple(hash, want), { maxLength: 300 }), (entries) => {
      const wants = new Map(entries);
      const bytes = bytesOf(wants);
      expect(bytes.length).toBe(wantsBytes(wants));
      const back = wantsFrom(bytes, wants.size);
      expect([...back].sort()).toEqual([...wants].sort());
    });
    fc.assert(property, { seed: 5, numRuns: 500 });
  });

  it("take little more than two bytes a record", () => {
    const random = Random.seeded(3);
    const wants = new Map(
      range(128).map((k) => [calledBy(hashesOf(`peer ${k}`, 0), 7), countCode(40 + random.below(40)) + 1]),
    );
    expect(bytesOf(wants).length).toBeLessThan(2.5 * wants.size);
  });

  it("are refused where a hash or a want is out of range, or bits are left over", () => {
    // Two records: a gap takes 19 bits and a unary rest, a want above the least so many ones.
    const forged = (gap: number, above: number, end: number): Uint8Array => {
      const out = new Writer();
      const packer = new Packer(out);
      packer.put(120, 7);
      packer.put(0, 3);
      for (const k of range(2)) {
        packer.natural(k === 0 ? 0 : gap, 19);
        packer.natural(k === 0 ? 0 : above, 0);
        packer.put(0, 1);
      }
      packer.put(end, 1);
      packer.end();
      return out.bytes();
    };
    expect([...wantsFrom(forged((1 << 20) - 2, 7, 0), 2)].at(-1)).toEqual([(1 << 20) - 1, NOTHING]);
    expect(() => wantsFrom(forged((1 << 20) - 1, 0, 0), 2)).toThrow(/wants\[1\] hash must be below 1048576/);
    expect(() => wantsFrom(forged(5, 8, 0), 2)).toThrow(/wants\[1\] want must be below 128, but is 128/);
    expect(() => wantsFrom(forged(5, 7, 1), 2)).toThrow(/no bits left over/);
  });
});
