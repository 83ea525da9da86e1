import { describe, expect, it } from "vitest";
import { orthonormalise } from "../numbers/eigen.ts";
import { slotSize, toDense, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { apply, identity, inverse, type Matrix, outer, plus, product } from "../testing/dense.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { Components } from "./components.ts";

const D = 5;

/** Two components in use of three, with variances 6 and 3 where b is 2. */
function some(): { components: Components; shape: Matrix } {
  const components = new Components(D, 3);
  Random.seeded(4).normals(components.basis);
  orthonormalise(components.basis, D);
  components.stretch(Float64Array.of(6, 3, 1), 2, 2);
  const u = (k: number): number[] => Array.from(components.basis.subarray(k * D, (k + 1) * D));
  return { components, shape: plus(plus(identity(D), outer(u(0), u(0)), 2), outer(u(1), u(1)), 0.5) };
}

const dense = (packed: Float64Array): number[] => toDense(packed, D).flat();

describe("Components", () => {
  it("are I + Σ w u uᵀ with w = variance/b − 1, as many as are in use", () => {
    const { components, shape } = some();
    expect([...components.weights]).toEqual([2, 0.5, 0]);
    const matrix = new Float64Array(triangleSize(D));
    components.addTo(matrix, 3);
    expect(
      relativeGap(
        dense(matrix),
        plus(shape, identity(D), -1)
          .flat()
          .map((x) => 3 * x),
      ),
    ).toBeLessThan(1e-12);
    expect(D * components.spread).toBeCloseTo(
      range(D).reduce((sum, i) => sum + shape[i][i], 0),
      12,
    );
  });

  it("have no weight below 0", () => {
    const components = new Components(D, 1);
    components.stretch(Float64Array.of(1), 1, 2);
    expect(components.weights[0]).toBe(0);
  });

  it("know their inverse", () => {
    const { components, shape } = some();
    const matrix = new Float64Array(triangleSize(D)).fill(1);
    components.addInverseTo(matrix, 3);
    const expected = inverse(shape)
      .flat()
      .map((x) => 1 + 3 * x);
    expect(relativeGap(dense(matrix), expected)).toBeLessThan(1e-12);
  });

  it("narrow a slot (G, g) to (K G K, K g), K their inverse", () => {
    const { components, shape } = some();
    const slot = Random.seeded(6).normals(new Float64Array(slotSize(D)));
    const [gram, moment] = [toDense(slot, D), Array.from(slot.subarray(triangleSize(D)))];
    components.narrow(slot);
    const cut = inverse(shape);
    expect(relativeGap(dense(slot), product(product(cut, gram), cut).flat())).toBeLessThan(1e-12);
    expect(relativeGap(slot.subarray(triangleSize(D)), apply(cut, moment))).toBeLessThan(1e-12);
  });

  it("change nothing where none is in use", () => {
    const { components } = some();
    components.stretch(Float64Array.of(6, 3, 1), 0, 2);
    const slot = Random.seeded(6).normals(new Float64Array(slotSize(D)));
    const before = slot.slice();
    components.narrow(slot);
    components.addTo(slot, 7);
    expect(slot).toEqual(before);
    expect(components.spread).toBe(1);
  });
});
