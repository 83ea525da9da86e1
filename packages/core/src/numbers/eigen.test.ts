import { describe, expect, it } from "vitest";
import { leadingEigenvectors, orthonormalise } from "./eigen.ts";
import { addIdentity, addOuter, dotAt, triangleSize } from "./packed.ts";
import { Random } from "./random.ts";

const D = 6;

const orthonormal = (count: number): Float64Array => {
  const basis = Random.seeded(3).normals(new Float64Array(count * D));
  orthonormalise(basis, D);
  return basis;
};

describe("orthonormalise", () => {
  it("makes vectors of length 1, orthogonal to each other, the first along what it was", () => {
    const basis = Random.seeded(3).normals(new Float64Array(3 * D));
    const [first, length] = [basis.slice(0, D), Math.sqrt(dotAt(basis, 0, basis, 0, D))];
    orthonormalise(basis, D);
    for (const i of [0, 1, 2]) {
      for (const j of [0, 1, 2]) expect(dotAt(basis, i * D, basis, j * D, D)).toBeCloseTo(i === j ? 1 : 0, 14);
    }
    expect(dotAt(basis, 0, first, 0, D)).toBeCloseTo(length, 12);
  });

  it("leaves vectors orthogonal that were nearly the same", () => {
    const basis = Float64Array.of(1, 1, 0, 1, 1 + 1e-10, 1e-12);
    orthonormalise(basis, 3);
    expect(Math.abs(dotAt(basis, 0, basis, 3, 3))).toBeLessThan(1e-14);
  });

  it("leaves zeros where there is no direction", () => {
    const basis = Float64Array.of(0, 0, 0, 4);
    orthonormalise(basis, 2);
    expect([...basis]).toEqual([0, 0, 0, 1]);
  });
});

describe("leadingEigenvectors", () => {
  it("finds the largest eigenvalues of a matrix and their vectors, in their order", () => {
    const planted = orthonormal(3);
    const matrix = new Float64Array(triangleSize(D));
    addIdentity(matrix, 0, D, 0.5);
    [4, 1.5, 0.2].forEach((weight, k) => {
      addOuter(matrix, D, planted, k * D, weight);
    });
    const basis = Random.seeded(8).normals(new Float64Array(2 * D));
    const values = new Float64Array(2);
    leadingEigenvectors(matrix, D, basis, values, 60);
    expect(values[0]).toBeCloseTo(4.5, 9);
    expect(values[1]).toBeCloseTo(2, 9);
    for (const k of [0, 1]) expect(Math.abs(dotAt(basis, k * D, planted, k * D, D))).toBeCloseTo(1, 9);
  });

  it("comes nearer with each step", () => {
    const planted = orthonormal(1);
    const matrix = new Float64Array(triangleSize(D));
    addIdentity(matrix, 0, D, 1);
    addOuter(matrix, D, planted, 0, 1);
    const [basis, values] = [Random.seeded(8).normals(new Float64Array(D)), new Float64Array(1)];
    orthonormalise(basis, D);
    let before = 0;
    for (let step = 0; step < 5; step++) {
      leadingEigenvectors(matrix, D, basis, values, 1);
      const along = Math.abs(dotAt(basis, 0, planted, 0, D));
      expect(along).toBeGreaterThan(before);
      before = along;
    }
    expect(values[0]).toBeLessThan(2);
  });
});
