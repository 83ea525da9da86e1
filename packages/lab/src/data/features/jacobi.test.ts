import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { eigenOfSymmetric } from "./jacobi.ts";

function symmetric(size: number, seed: number, rank = size): Float64Array {
  const factor = Random.seeded(seed).normals(new Float64Array(size * rank));
  const matrix = new Float64Array(size * size);
  for (let p = 0; p < size; p++) {
    for (let q = 0; q < size; q++) {
      for (let k = 0; k < rank; k++)
        matrix[p * size + q]! += factor[p * rank + k]! * factor[q * rank + k]! * (k % 3 ? 1 : -1);
    }
  }
  return matrix;
}

describe("eigenvectors of a symmetric matrix", () => {
  it.each([
    [1, 1],
    [2, 2],
    [7, 7],
    [30, 30],
    [12, 4],
  ])("size %i, rank %i: A v = λ v, v orthonormal, λ descending", (size, rank) => {
    const a = symmetric(size, size, rank);
    const { values, vectors } = eigenOfSymmetric(a.slice(), size);
    const scale = Math.max(...a.map(Math.abs));
    for (let j = 0; j < size; j++) {
      if (j > 0) expect(values[j]).toBeLessThanOrEqual(values[j - 1]!);
      for (let i = 0; i < size; i++) {
        let image = 0;
        let inner = 0;
        for (let k = 0; k < size; k++) {
          image += a[i * size + k]! * vectors[k * size + j]!;
          inner += vectors[k * size + i]! * vectors[k * size + j]!;
        }
        expect(Math.abs(image - values[j]! * vectors[i * size + j]!)).toBeLessThan(scale * size * 1e-14);
        expect(Math.abs(inner - (i === j ? 1 : 0))).toBeLessThan(size * 1e-15 + 1e-15);
      }
    }
  });

  it("leaves a diagonal matrix as it is, sorted", () => {
    const { values, vectors } = eigenOfSymmetric(Float64Array.of(1, 0, 0, 0, 5, 0, 0, 0, 3), 3);
    expect([...values]).toEqual([5, 3, 1]);
    expect([...vectors]).toEqual([0, 0, 1, 1, 0, 0, 0, 1, 0]);
  });
});
