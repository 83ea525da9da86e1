import { Random } from "@coterie/core";
import { Ball, Chooser, slotSize, triangleSize } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wasmAccelerator } from "./accelerator.ts";

describe("choosing through WebAssembly", () => {
  it("picks what core picks, for any shape, ties and lone arms included", () => {
    const shapes = fc.record({
      seed: fc.integer({ min: 0, max: 1e9 }),
      d: fc.integer({ min: 1, max: 30 }),
      count: fc.integer({ min: 1, max: 40 }),
      radius: fc.constantFrom(0, 0.3, 2),
      twice: fc.boolean(),
    });
    fc.assert(
      fc.property(shapes, ({ seed, d, count, radius, twice }) => {
        const random = Random.seeded(seed);
        const values = random.normals(new Float64Array(count * d + 3));
        if (twice && count > 1) values.copyWithin((count - 1) * d, 0, d);
        const ball = new Ball(d);
        const slot = new Float64Array(slotSize(d));
        for (let k = 0; k < 2 * d; k++) {
          const x = random.normals(new Float64Array(d));
          for (let i = 0, at = 0; i < d; i++) for (let j = 0; j <= i; j++) slot[at++]! += x[i]! * x[j]!;
          for (let i = 0; i < d; i++) slot[triangleSize(d) + i]! += random.normal() * x[i]!;
        }
        ball.refresh(slot);
        const plain = new Chooser(d).pick("optimistic", ball, radius, { count, values }, undefined);
        const { lower, reciprocal } = ball.factor;
        const faster = wasmAccelerator()!;
        expect(faster.optimistic(d, lower, reciprocal, ball.estimate, radius, values, count)).toBe(plain);
        const scores = new Float64Array(count);
        new Chooser(d).score("optimistic", ball, radius, { count, values }, undefined, scores);
        const [means, squares] = [new Float64Array(count), new Float64Array(count)];
        faster.measure(lower, reciprocal, ball.estimate, means, squares);
        expect(means.map((mean, k) => mean + radius * Math.sqrt(squares[k]!))).toEqual(scores);
      }),
      { numRuns: 300 },
    );
  });
});
