import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import { Slots } from "./slots.ts";

const D = 2;
const observation = fc.tuple(
  fc.double({ min: -0.7, max: 0.7, noNaN: true }),
  fc.double({ min: -0.7, max: 0.7, noNaN: true }),
  fc.double({ min: -1, max: 1, noNaN: true }),
);

function slotsOf(observations: readonly (readonly [number, number, number])[]): Slots {
  const slots = new Slots(D);
  observations.forEach(([x, y, reward], round) => {
    const sums = new Statistics(D);
    sums.add(Float64Array.of(x, y), 0, reward);
    slots.append(round + 1, sums);
  });
  return slots;
}

function copyOf(slots: Slots): Slots {
  const copy = new Slots(D);
  copy.copyFrom(slots);
  return copy;
}

const at = (slots: Slots, position: number, k: number): number => slots.values[slots.offset(position) + k]!;

describe("clipped mixing", () => {
  const pair = fc
    .integer({ min: 1, max: 12 })
    .chain((n) => fc.tuple(...[0, 1].map(() => fc.array(observation, { minLength: n, maxLength: n }))));

  it("conserves what two honest peers hold together, and stays between them", () => {
    fc.assert(
      fc.property(pair, fc.double({ min: 0, max: 3, noNaN: true }), ([a, b], clip) => {
        const [mine, theirs] = [slotsOf(a!), slotsOf(b!)];
        const [one, other] = [copyOf(mine), copyOf(theirs)];
        one.mixFrom(theirs, clip);
        other.mixFrom(mine, clip);
        for (let p = 0; p < mine.length; p++) {
          for (let k = 0; k < mine.size; k++) {
            const [x, y] = [at(mine, p, k), at(theirs, p, k)];
            expect(at(one, p, k) + at(other, p, k)).toBeCloseTo(x + y, 12);
            expect(at(one, p, k)).toBeGreaterThanOrEqual(Math.min(x, y) - 1e-15);
            expect(at(one, p, k)).toBeLessThanOrEqual(Math.max(x, y) + 1e-15);
          }
          expect(one.count(p) + other.count(p)).toBeCloseTo(mine.count(p) + theirs.count(p), 12);
        }
      }),
    );
  });

  it("moves a slot of age a by no more than half of c · 2^(-a/2)", () => {
    const [mine, theirs] = [slotsOf(Array(9).fill([0, 0, 0])), slotsOf(Array(9).fill([0.7, 0.7, 1]))];
    mine.mixFrom(theirs, 0.5);
    for (let p = 0; p < 9; p++) {
      let square = 0;
      for (let k = 0; k < mine.size; k++) square += at(mine, p, k) ** 2;
      expect(Math.sqrt(square)).toBeCloseTo(0.25 * 2 ** (-(8 - p) / 2), 12);
    }
  });

  it("is the plain mean, bit for bit, where nothing is clipped", () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [plain, clipped, theirs] = [slotsOf(a!), slotsOf(a!), slotsOf(b!)];
        plain.mixFrom(theirs);
        clipped.mixFrom(theirs, 1e6);
        expect(clipped.values).toEqual(plain.values);
      }),
    );
  });
});
