import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Delay, delayAt } from "./delay.ts";

describe("the delay", () => {
  const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });

  it("is factor · (networkExponent · log2 V + log2 t)", () => {
    const parameters = fc.record({ factor: real(0, 10), networkExponent: real(0, 3) });
    const holds = fc.property(
      parameters,
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 1e6 }),
      (delay, V, t) => {
        const expected = delay.factor * (delay.networkExponent * Math.log2(V) + Math.log2(t));
        expect(Math.abs(delayAt(delay, V, t) - expected)).toBeLessThanOrEqual(1e-12 * (1 + expected));
      },
    );
    fc.assert(holds, { seed: 1, numRuns: 500 });
  });

  it.each<[Delay, number, number, number]>([
    [{ factor: 4, networkExponent: 1.5 }, 16, 8, 36],
    [{ factor: 4, networkExponent: 0 }, 16, 1, 0],
    [{ factor: 4, networkExponent: 0 }, 7, 1024, 40],
    [{ factor: 1, networkExponent: 2 }, 1, 2, 1],
    [{ rounds: 2.5 }, 16, 8, 2.5],
    [{ rounds: 0 }, 16, 8, 0],
  ])("of %j for %i peers in round %i is exactly %d", (delay, peers, round, length) => {
    expect(delayAt(delay, peers, round)).toBe(length);
  });

  it("never falls from one round to the next", () => {
    for (const delay of [
      { factor: 4, networkExponent: 1.5 },
      { factor: 0.3, networkExponent: 0 },
    ]) {
      let before = Number.NEGATIVE_INFINITY;
      let falls = 0;
      for (let t = 1; t <= 300_000; t++) {
        const length = delayAt(delay, 91, t);
        if (length < before) falls += 1;
        before = length;
      }
      expect(falls).toBe(0);
    }
  });
});
