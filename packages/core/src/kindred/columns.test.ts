import { describe, expect, it } from "vitest";
import { slotSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { look, sumsOf } from "../testing/kin.ts";
import { Columns } from "./columns.ts";
import { publish } from "./record.ts";
import { SeenSpan } from "./span.ts";

const D = 30;
const theta = Array.from({ length: D }, (_, i) => (i === 0 ? 1 : 0));
const seen = (count: number, seed = 1) => look(Random.seeded(seed), theta, count, 0.1);

const off = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (value, k) => Math.abs(value - b[k]!)));

describe("sums as columns", () => {
  it.each([1, 4, 29, 30, 50])("are the sums: %d observations", (count) => {
    const { slot } = sumsOf(seen(count), D);
    const columns = Columns.of(slot, D);
    expect(columns.along).toHaveLength(Math.min(count, D));
    expect(off(columns.slot(), slot)).toBeLessThan(1e-12);
  });

  it("are none where nothing was seen, and one where the same was seen again", () => {
    expect(Columns.of(new Float64Array(slotSize(D)), D).along).toHaveLength(0);
    const { arms, rewards } = seen(1);
    const again = sumsOf({ arms: [arms[0]!, arms[0]!], rewards: [rewards[0]!, rewards[0]!] }, D);
    expect(Columns.of(again.slot, D).along).toHaveLength(1);
  });

  it.each([1, 5, 30, 40])("make the record that the sums make: %d observations", (count) => {
    const sums = sumsOf(seen(count, 2), D);
    const record = publish("a", 1, { ...sums, columns: Columns.of(sums.slot, D) });
    const expected = publish("a", 1, sums);
    // An entry halfway between two units may go either way.
    expect(off(record.slot, expected.slot)).toBeLessThan(0.01);
    expect(Math.abs(record.squares - expected.squares)).toBeLessThan(1e-3);
  });

  it("make a record of arms of zeros", () => {
    const none = { slot: new Float64Array(slotSize(D)), squares: 4, count: 1 };
    const { body } = publish("a", 1, { ...none, columns: Columns.of(none.slot, D) });
    expect(body).toEqual(publish("a", 1, none).body);
  });
});

describe("a span", () => {
  it("has a direction for each vector that is new, up to all of them", () => {
    const span = new SeenSpan(D);
    const { arms } = seen(50);
    for (const [k, arm] of arms.entries()) {
      span.extend(Float64Array.from(arm));
      expect(span.size).toBe(Math.min(k + 1, D));
      span.extend(Float64Array.from(arms[0]!, (x) => -3 * x));
      expect(span.size).toBe(Math.min(k + 1, D));
    }
  });

  it("keeps lengths and what sums say, whatever lies beyond it", () => {
    const span = new SeenSpan(D);
    const { arms } = seen(6);
    for (const arm of arms.slice(0, 5)) span.extend(Float64Array.from(arm));
    const place = (x: ArrayLike<number>): Float64Array =>
      span.place(new Float64Array(9), 0, 9, Float64Array.from(x), 0);
    const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
      Array.from(a).reduce((sum, value, k) => sum + value * b[k]!, 0);
    for (const a of arms) expect(dot(place(a), place(a))).toBeCloseTo(dot(a, a), 12);
    for (const a of arms.slice(0, 5)) {
      for (const b of arms.slice(0, 5)) expect(dot(place(a), place(b))).toBeCloseTo(dot(a, b), 12);
    }
    expect(place(arms[0]!)[8]).toBeLessThan(1e-7);
    expect(place(arms[5]!)[8]).toBeGreaterThan(0.1);
    expect(off(span.lift(place(arms[2]!)), arms[2]!)).toBeLessThan(1e-12);
  });

  it("tells sums of what lies in it, there and back", () => {
    const span = new SeenSpan(D);
    const sums = sumsOf(seen(7), D);
    const columns = Columns.of(sums.slot, D);
    span.extendBy(columns);
    const slot = span.slotOf(columns, 12);
    expect(slot).toHaveLength(slotSize(12));
    expect(off(span.lifted(slot), sums.slot)).toBeLessThan(1e-12);
    expect(off(span.sumsOf({ ...sums, slot }).slot, sums.slot)).toBeLessThan(1e-12);
    const few = sumsOf(seen(4), D);
    const small = new SeenSpan(D);
    small.extendBy(Columns.of(few.slot, D));
    const lifted = small.sumsOf({ ...few, slot: small.slotOf(Columns.of(few.slot, D), 8) });
    expect(off(lifted.columns!.slot(), few.slot)).toBeLessThan(1e-12);
  });
});
