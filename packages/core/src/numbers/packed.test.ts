import { describe, expect, it } from "vitest";
import { apply, dot, identity, outer, plus, zeros } from "../testing/dense.ts";
import {
  addIdentity,
  addObservation,
  addOuter,
  addScaled,
  dotAt,
  multiply,
  slotSize,
  toDense,
  triangleSize,
} from "./packed.ts";
import { Random } from "./random.ts";

/** An array whose every entry is told from the others, so that a write out of place shows. */
const marked = (length: number): Float64Array => Float64Array.from({ length }, (_, k) => 1000 + k);

describe.each([1, 2, 5])("packed matrices, d = %i", (d) => {
  const size = slotSize(d);
  const triangle = triangleSize(d);

  it("addObservation adds x xᵀ and r x to the slot at its offset, and touches nothing else", () => {
    const vectors = Random.seeded(d).normals(new Float64Array(d + 3));
    const x = Array.from(vectors.subarray(2, 2 + d));
    const values = marked(size + 7);
    const before = toDense(values.subarray(4), d);
    addObservation(values, 4, d, vectors, 2, -0.5);
    expect(toDense(values.subarray(4), d)).toEqual(plus(before, outer(x, x)));
    const moment = Array.from(values.subarray(4 + triangle, 4 + size));
    expect(moment).toEqual(x.map((value, i) => 1004 + triangle + i + -0.5 * value));
    expect([...values.subarray(0, 4), ...values.subarray(4 + size)]).toEqual([
      ...marked(4),
      ...marked(size + 7).subarray(4 + size),
    ]);
  });

  it("addIdentity adds to the diagonal alone", () => {
    const values = new Float64Array(size + 2);
    addIdentity(values, 2, d, 3);
    expect(toDense(values.subarray(2), d)).toEqual(plus(zeros(d, d), identity(d), 3));
    expect([...values.subarray(0, 2), ...values.subarray(2 + triangle)]).toEqual(Array(2 + d).fill(0));
  });

  it("addScaled adds a stretch to a stretch", () => {
    const out = marked(size + 2);
    addScaled(out, 1, marked(size + 3), 2, size, 2);
    expect(Array.from(out)).toEqual(Array.from(marked(size + 2), (v, k) => (k < 1 || k > size ? v : v + 2 * (v + 1))));
  });

  it("addOuter adds a multiple of x xᵀ to the gram alone", () => {
    const vectors = Random.seeded(d).normals(new Float64Array(d + 3));
    const x = Array.from(vectors.subarray(2, 2 + d));
    const values = marked(size);
    addOuter(values, d, vectors, 2, 2);
    expect(toDense(values, d)).toEqual(plus(toDense(marked(size), d), outer(x, x), 2));
    expect(values.subarray(triangle)).toEqual(marked(size).subarray(triangle));
  });

  it("multiply is A x, whatever was in `out`", () => {
    const random = Random.seeded(d);
    const gram = random.normals(new Float64Array(triangle));
    const vectors = random.normals(new Float64Array(d + 3));
    const expected = apply(toDense(gram, d), Array.from(vectors.subarray(2, 2 + d)));
    multiply(marked(d), gram, d, vectors, 2).forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 12);
    });
  });

  it("dotAt is the sum of products from two offsets", () => {
    const [a, b] = [marked(d + 2), marked(d + 5)];
    expect(dotAt(a, 1, b, 4, d)).toBe(dot(Array.from(a.subarray(1, 1 + d)), Array.from(b.subarray(4, 4 + d))));
  });
});
