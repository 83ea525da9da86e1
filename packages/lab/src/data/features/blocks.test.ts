import { Random } from "@coterie/core";
import { expect, it } from "vitest";
import { gramOf, orthonormalise } from "./blocks.ts";

const HEIGHT = 50;
const WIDTH = 8;
const random = () => Random.seeded(5);

function furthestFromIdentity(block: Float64Array): number {
  const gram = gramOf(block, block, HEIGHT, WIDTH);
  return Math.max(...gram.map((value, k) => Math.abs(value - (k % (WIDTH + 1) === 0 ? 1 : 0))));
}

it("makes columns orthonormal, also where they are nearly the same", () => {
  for (const difference of [1, 1e-4, 1e-8, 1e-11]) {
    const block = random().normals(new Float64Array(HEIGHT * WIDTH));
    for (let i = 0; i < HEIGHT; i++) {
      for (let j = 1; j < WIDTH; j++) block[i * WIDTH + j] = block[i * WIDTH]! + difference * block[i * WIDTH + j]!;
    }
    expect(furthestFromIdentity(orthonormalise(block, HEIGHT, WIDTH, random()))).toBeLessThan(1e-14);
  }
});

it("keeps the direction of the first column and the span of the first two", () => {
  const before = random().normals(new Float64Array(HEIGHT * WIDTH));
  const after = orthonormalise(before.slice(), HEIGHT, WIDTH, random());
  const r = gramOf(after, before, HEIGHT, WIDTH);
  // before = after × R with R upper triangular.
  for (let p = 0; p < WIDTH; p++) for (let q = 0; q < p; q++) expect(Math.abs(r[p * WIDTH + q]!)).toBeLessThan(1e-13);
});

it("puts random columns in place of those that bring nothing new", () => {
  const block = new Float64Array(HEIGHT * WIDTH);
  for (let i = 0; i < HEIGHT; i++) block.fill(i + 1, i * WIDTH, i * WIDTH + 3);
  expect(furthestFromIdentity(orthonormalise(block, HEIGHT, WIDTH, random()))).toBeLessThan(1e-14);
});
