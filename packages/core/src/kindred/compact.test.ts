import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolViolation } from "../errors.ts";
import { Reader, Writer } from "../numbers/bytes.ts";
import { Factor } from "../numbers/factor.ts";
import { slotSize, traceOf, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { type Seen, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { Compact, factoredTrace, readFactored, square, WIDENING } from "./compact.ts";
import type { Sums } from "./record.ts";

const complain = (reason: "truncated" | "too-long", field: string, value: unknown, bound: string): Error =>
  new ProtocolViolation(reason, field, value, bound);

function bytesOf(sums: Sums, d: number): Uint8Array {
  const out = new Writer();
  new Compact(d).write(out, sums);
  return out.bytes();
}

function sumsFrom(bytes: Uint8Array, d: number, count: number): Sums {
  const from = new Reader(bytes, complain);
  const slot = new Float64Array(slotSize(d));
  const squares = readFactored(from, "sums", slot, d);
  from.end("sums");
  const trace = factoredTrace(slot, d);
  square(slot, d);
  expect(traceOf(slot, d)).toBe(trace);
  return { slot, squares, count };
}

/** Arms in the unit ball, some features never seen, some rarely, of any scale; rewards of any scale. */
const seen = fc
  .record({
    seed: fc.nat(1e6),
    d: fc.integer({ min: 1, max: 12 }),
    count: fc.integer({ min: 1, max: 60 }),
    scale: fc.constantFrom(1, 1, 1e-3, 1e-12, 1e-40, 1e-170),
    pay: fc.constantFrom(1, 1, 1e-5, 1e6, 1e99),
    noise: fc.constantFrom(0, 0.01, 0.3, 3),
    seldom: fc.constantFrom(0, 0, 0.5, 0.9),
  })
  .map(({ seed, d, count, scale, pay, noise, seldom }) => {
    const random = Random.seeded(seed);
    const gone = range(d).map(() => random.uniform() < 0.2);
    const theta = range(d).map(() => random.normal());
    const arms = range(count).map(() => {
      const x = range(d).map((i) => (gone[i] || random.uniform() < seldom ? 0 : random.normal()));
      const length = Math.max(1e-300, Math.hypot(...x));
      return x.map((value) => (scale * value) / length);
    });
    const rewards = arms.map((x) => pay * (x.reduce((sum, xi, i) => sum + xi * theta[i], 0) + noise * random.normal()));
    const all: Seen = { arms, rewards };
    return { d, sums: sumsOf(all, d) };
  });

/** vᵀ(S + ridge)⁻¹v, the ridge a small share of the trace. */
function explained({ slot }: Sums, d: number, share: number): number {
  const factor = new Factor(d);
  expect(factor.refactor(slot, 0, share * traceOf(slot, d) + 1e-300)).toBe(true);
  return factor.quadratic(slot, triangleSize(d), new Float64Array(d));
}

describe("compact sums", () => {
  it("are what they were roughly, and no longer than rounding may make them", () => {
    const property = fc.property(seen, ({ d, sums }) => {
      const back = sumsFrom(bytesOf(sums, d), d, sums.count);
      const most = WIDENING;
      expect(traceOf(back.slot, d)).toBeLessThanOrEqual(most * traceOf(sums.slot, d));
      expect(back.squares).toBeLessThanOrEqual(most * sums.squares);
      if (traceOf(sums.slot, d) < 1e-20) return;
      let [error, size] = [0, 0];
      for (let k = 0; k < triangleSize(d); k++) {
        error += (back.slot[k] - sums.slot[k]) ** 2;
        size += sums.slot[k] ** 2;
      }
      expect(Math.sqrt(error)).toBeLessThan(0.2 * Math.sqrt(size));
    });
    fc.assert(property, { seed: 1, numRuns: 1000 });
  });

  it("keep the estimate and the noise, however little of it there is", () => {
    for (const noise of [1e-3, 0.1, 1]) {
      for (const count of [40, 400, 4000]) {
        const [d, random] = [8, Random.seeded(count)];
        const theta = range(d).map(() => random.normal());
        const arms = range(count).map(() => range(d).map(() => random.normal() / 5));
        const rewards = arms.map((x) => x.reduce((sum, xi, i) => sum + xi * theta[i], 0) + noise * random.normal());
        const sums = sumsOf({ arms, rewards }, d);
        const back = sumsFrom(bytesOf(sums, d), d, count);
        const [before, after] = [sums, back].map(({ slot }) => {
          const factor = new Factor(d);
          factor.refactor(slot, 0, 0);
          return factor.solve(new Float64Array(d), slot, triangleSize(d));
        });
        // Arms are 1/5 long in each direction, so this is a fifth of the estimate's standard error.
        const most = noise / Math.sqrt(count);
        for (const i of range(d)) expect(Math.abs(before[i] - after[i])).toBeLessThan(5e-4 + most);
        const left = sums.squares - explained(sums, d, 0);
        expect(Math.abs(back.squares - explained(back, d, 0) - left)).toBeLessThan(0.05 * left + 1e-6 * sums.squares);
      }
    }
  });

  it("say in every direction what they said to within a fifth or so, also where features go together", () => {
    for (const [d, count, common] of [
      [8, 100, 0],
      [25, 60, 0],
      [25, 60, 3],
      [25, 400, 10],
      [60, 200, 3],
    ]) {
      const random = Random.seeded(d + count);
      const arms = range(count).map(() => {
        // What all arms have in common is `common` times as large as what they differ by.
        const shared = common * random.uniform();
        const x = range(d).map(() => random.normal() + shared);
        return x.map((value) => value / Math.hypot(...x));
      });
      const sums = sumsOf({ arms, rewards: arms.map(() => random.normal()) }, d);
      const back = sumsFrom(bytesOf(sums, d), d, count);
      const factor = new Factor(d);
      factor.refactor(sums.slot, 0, (0.01 * traceOf(sums.slot, d)) / d);
      let off = 0;
      // xᵀS̃x / xᵀ(S + ridge)x for the x that are as likely as any under S + ridge.
      for (const _ of range(200)) {
        const x = factor.backward(
          new Float64Array(d),
          Float64Array.from(range(d), () => random.normal()),
        );
        const seen = (slot: Float64Array): number => {
          let sum = 0;
          for (let i = 0, at = 0; i < d; i++) {
            for (let j = 0; j <= i; j++, at++) sum += (i === j ? 1 : 2) * slot[at] * x[i] * x[j];
          }
          return sum;
        };
        const whole = seen(sums.slot) + ((0.01 * traceOf(sums.slot, d)) / d) * Math.hypot(...x) ** 2;
        const error = Math.abs(seen(back.slot) - seen(sums.slot)) / whole;
        expect(error).toBeLessThan(0.4);
        off += error / 200;
      }
      expect(off).toBeLessThan(0.1);
    }
  });

  it("take more bytes for each independent observation, until there are as many as features", () => {
    const d = 20;
    const random = Random.seeded(5);
    const sizes = [1, 2, 5, 10, 19, 100].map((count) => {
      const arms = range(count).map(() => range(d).map(() => random.normal() / 10));
      return bytesOf(sumsOf({ arms, rewards: arms.map(() => random.normal()) }, d), d).length;
    });
    const [one, two, five, ten, nineteen, hundred] = sizes;
    // Pivots, scales and splits, exponent and s; a column: d numbers of about four bits, and one of y.
    expect(one).toBeLessThan(3 + 1.5 * d + 4 + 2 + d);
    expect(two).toBeGreaterThan(one);
    expect(five).toBeGreaterThan(two);
    expect(ten).toBeGreaterThan(five);
    expect(nineteen).toBeGreaterThan(ten);
    // As floats of 32 bits it would be 924.
    expect(hundred).toBeLessThan(200);
  });

  it("are a covariance with a moment that fits it, or refused, whatever the bytes", () => {
    const d = 4;
    const honest = bytesOf(
      sumsOf({ arms: range(9).map((k) => range(d).map((i) => Math.sin(k + 7 * i) / 2)), rewards: range(9) }, d),
      d,
    );
    const some = fc.array(fc.tuple(fc.nat(honest.length - 1), fc.nat(255)), { maxLength: honest.length });
    let taken = 0;
    const property = fc.property(some, (changes) => {
      const bytes = honest.slice();
      for (const [at, value] of changes) bytes[at] = value;
      let sums: Sums;
      try {
        sums = sumsFrom(bytes, d, 9);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolViolation);
        return;
      }
      if (!Number.isFinite(sums.squares)) return;
      taken += 1;
      expect(explained(sums, d, 1e-12)).toBeLessThanOrEqual(sums.squares * (1 + 1e-6));
    });
    fc.assert(property, { seed: 4, numRuns: 2000 });
    expect(taken).toBeGreaterThan(300);
  });
});
