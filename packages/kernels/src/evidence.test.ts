import { Random } from "@coterie/core";
import { type Accelerator, slotSize, triangleSize } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { square } from "../../core/src/kindred/compact.ts";
import { Evidence } from "../../core/src/kindred/evidence.ts";
import { Inverses } from "../../core/src/kindred/inverses.ts";
import { Prior } from "../../core/src/kindred/prior.ts";
import { accelerate } from "../../core/src/numbers/accelerator.ts";
import { Factor } from "../../core/src/numbers/factor.ts";
import { addObservation } from "../../core/src/numbers/packed.ts";
import { wasmAccelerator } from "./accelerator.ts";

/** The kernels from one feature on, counting how often they are asked. */
function always(): Accelerator & { asked: number } {
  const kernels = wasmAccelerator()!;
  return {
    name: kernels.name,
    leastNumbers: kernels.leastNumbers,
    leastDimension: 1,
    leastFactored: 1,
    leastAlone: Infinity,
    asked: 0,
    optimistic: kernels.optimistic.bind(kernels),
    menu: kernels.menu.bind(kernels),
    measure: kernels.measure.bind(kernels),
    evidence(...given) {
      this.asked += 1;
      kernels.evidence(...given);
    },
    addInverses(...given) {
      this.asked += 1;
      return kernels.addInverses(...given);
    },
    energies(...given) {
      this.asked += 1;
      return kernels.energies(...given);
    },
    refactor(...given) {
      this.asked += 1;
      return kernels.refactor(...given);
    },
    invert(...given) {
      this.asked += 1;
      kernels.invert(...given);
    },
    inverseTrace(...given) {
      this.asked += 1;
      return kernels.inverseTrace(...given);
    },
    square(...given) {
      this.asked += 1;
      kernels.square(...given);
    },
  };
}

const shapes = fc.record({
  seed: fc.integer({ min: 0, max: 1e9 }),
  d: fc.integer({ min: 1, max: 30 }),
  records: fc.integer({ min: 1, max: 7 }),
  /** Arms so long that the determinant leaves the range of numbers. */
  long: fc.constantFrom(1, 1e6),
  /** One of the sums is not positive semidefinite. */
  spoilt: fc.boolean(),
});

function drawn(random: Random, d: number, count: number, long: number): Float64Array {
  const slot = new Float64Array(slotSize(d));
  for (let k = 0; k < count; k++) {
    const x = random.normals(new Float64Array(d)).map((value) => long * value);
    addObservation(slot, 0, d, x, 0, random.normal());
  }
  return slot;
}

type Shape = { seed: number; d: number; records: number; long: number; spoilt: boolean };

/** All that kindred asks of sums, in one row of numbers. */
function answers({ seed, d, records, long, spoilt }: Shape): number[] {
  const random = Random.seeded(seed);
  const sums = Array.from({ length: records }, () => ({ slot: drawn(random, d, random.below(2 * d + 1), long) }));
  if (spoilt) sums.at(-1)!.slot[0] = -5;
  const prior = new Prior(random.normals(new Float64Array(d)));
  prior.setWide(drawn(random, d, d, 1).subarray(0, triangleSize(d)), 0.5, long === 1 ? 0.3 : 1e-9);
  const model = { prior, noise: 0.7 };
  const evidence = new Evidence(d);
  const centre = new Float64Array(d);
  const out: number[] = [];
  for (const { slot } of sums) {
    out.push(evidence.of(slot, prior, 0.7, centre), ...centre, evidence.explained, evidence.logDeterminant);
    out.push(evidence.ofSum(slot, sums[0]!.slot, prior, 0.7, -0.3));
    out.push(evidence.ofScaled(slot, 1.7, prior, 0.7, centre), ...centre);
  }
  const several = new Float64Array(records);
  evidence.ofSums(several, sums, records, sums[0]!.slot, 0.9, model, sums[0]!);
  const found = new Float64Array(2 * records);
  evidence.fitAll(found, sums, prior);
  out.push(...several, ...found);
  const take = (value: number, at: Float64Array): void => {
    out.push(value, ...at);
  };
  evidence.valueAll(
    sums.map(({ slot }) => ({ slot, take })),
    model,
  );
  const inverses = new Inverses(d);
  for (const mean of [null, prior.mean]) {
    const sum = new Float64Array(slotSize(d)).fill(0.25);
    const used = inverses.add(sum, sums, prior.ridge, mean, 0.37);
    out.push(used, ...sum, ...inverses.solved.subarray(0, used * d));
  }
  const factor = new Factor(d);
  for (const { slot } of sums) {
    const found = factor.refactor(slot, 0, 0.3);
    out.push(found ? 1 : 0);
    if (found)
      out.push(
        factor.inverseTrace(new Float64Array(d)),
        ...factor.lower,
        ...factor.reciprocal,
        ...factor.invert(new Float64Array(triangleSize(d))),
      );
  }
  for (const { slot } of sums) out.push(...squared(slot, random.below(d + 1), random));
  return out;
}

/** What `square` makes of L and y where some columns of L are zero. */
function squared(slot: Float64Array, zeros: number, random: Random): Float64Array {
  const d = (Math.sqrt(9 + 8 * slot.length) - 3) / 2;
  const sums = slot.slice();
  for (let left = zeros; left > 0; left--) {
    const k = random.below(d);
    for (let i = k; i < d; i++) sums[triangleSize(i) + k] = 0;
  }
  square(sums, d);
  return sums;
}

describe("kindred's evidence and inverses through WebAssembly", () => {
  it("are core's bit for bit, in any dimension, for even and odd counts and for sums that nobody can have seen", () => {
    const kernels = always();
    fc.assert(
      fc.property(shapes, (shape) => {
        accelerate(null);
        const plain = answers(shape);
        accelerate(kernels);
        const fast = answers(shape);
        accelerate(null);
        // 0 and −0 are the same to everything that follows.
        expect(fast.map((value) => value + 0)).toEqual(plain.map((value) => value + 0));
      }),
      { numRuns: 150 },
    );
    expect(kernels.asked).toBeGreaterThan(1000);
  });
});
