import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Reader, Writer } from "./bytes.ts";

type Item =
  | { kind: "u8" | "u16" | "u32" | "f64"; value: number }
  | { kind: "text"; value: string }
  | { kind: "f64s"; value: number[] };

const whole = (kind: "u8" | "u16" | "u32", bits: number): fc.Arbitrary<Item> =>
  fc.record({ kind: fc.constant(kind), value: fc.integer({ min: 0, max: 2 ** bits - 1 }) });

const items: fc.Arbitrary<Item[]> = fc.array(
  fc.oneof(
    whole("u8", 8),
    whole("u16", 16),
    whole("u32", 32),
    fc.record({ kind: fc.constant("f64" as const), value: fc.double() }),
    fc.record({ kind: fc.constant("text" as const), value: fc.string({ unit: "binary" }) }),
    fc.record({ kind: fc.constant("f64s" as const), value: fc.array(fc.double()) }),
  ),
  { size: "medium" },
);

function write(all: readonly Item[]): Uint8Array {
  const out = new Writer();
  for (const item of all) {
    if (item.kind === "text") out.text(item.value);
    else if (item.kind === "f64s") out.f64s(Float64Array.from(item.value));
    else out[item.kind](item.value);
  }
  return out.bytes();
}

const reader = (bytes: Uint8Array): Reader =>
  new Reader(bytes, (reason, field, value, bound) => new Error(`${reason}: ${field} must ${bound}, but has ${value}`));

function read(from: Reader, like: readonly Item[]): unknown[] {
  return like.map((item) => {
    if (item.kind !== "f64s") return from[item.kind]("field");
    const values = new Float64Array(item.value.length);
    from.f64s("field", values);
    return Array.from(values);
  });
}

describe("bytes", () => {
  it("give back what was written, past any growth and from the middle of a larger buffer", () => {
    let longest = 0;
    const holds = fc.property(items, fc.nat(9), (all, shift) => {
      const bytes = write(all);
      const within = new Uint8Array(bytes.length + shift).subarray(shift);
      within.set(bytes);
      const from = reader(within);
      expect(read(from, all)).toEqual(all.map(({ value }) => value));
      expect(() => from.end("field")).not.toThrow();
      longest = Math.max(longest, bytes.length);
    });
    fc.assert(holds, { seed: 1, numRuns: 300 });
    expect(longest).toBeGreaterThan(600);
  });

  it("stay what they are while others are written, and when more is written behind them", () => {
    const [one, other] = [new Writer(), new Writer()];
    one.u8(1);
    other.u8(2);
    const [first, second] = [one.bytes(), other.bytes()];
    const third = write([{ kind: "u8", value: 3 }]);
    one.u8(4);
    expect([first, second, third, one.bytes()].map((bytes) => Array.from(bytes))).toEqual([[1], [2], [3], [1, 4]]);
  });

  it("are never read past their end, nor left over in silence", () => {
    const cut = fc.property(items, fc.nat(), (all, where) => {
      const bytes = write(all);
      fc.pre(bytes.length > 0);
      const end = where % bytes.length;
      expect(() => read(reader(bytes.subarray(0, end)), all)).toThrow(/^truncated: field must have/);
      expect(() => reader(bytes).end("all")).toThrow(/^too-long: all must end here/);
    });
    fc.assert(cut, { seed: 2, numRuns: 300 });
  });

  it("are little-endian, and a stretch of a list goes to a stretch of a list", () => {
    const out = new Writer();
    out.u16(0x0102);
    out.f64s(Float64Array.of(7, 8, 9), 1, 1);
    const from = reader(out.bytes());
    expect([from.u8("low"), from.u8("high")]).toEqual([2, 1]);
    const values = new Float64Array(4);
    from.f64s("f64s", values, 2, 1);
    expect(Array.from(values)).toEqual([0, 0, 8, 0]);
    expect(from.left).toBe(0);
  });

  it("keeps short copies that change neither with the message nor with one another, however many share their memory", () => {
    const message = Uint8Array.from({ length: 60_000 }, (_, k) => k % 251);
    const wanted = message.slice();
    const from = reader(message);
    const lengths = Array.from({ length: 120 }, (_, k) => (k * 37) % 700);
    const copies = lengths.map((length) => from.kept("part", length));
    message.fill(0);
    let at = 0;
    for (const copy of copies) {
      expect(copy).toEqual(wanted.subarray(at, at + copy.length));
      at += copy.length;
    }
    expect(copies.map(({ length }) => length)).toEqual(lengths);
    expect(() => from.kept("part", 60_001)).toThrow("truncated: part");
    expect(new Set(copies.map(({ buffer }) => buffer)).size).toBeLessThan(copies.length);
  });
});
