import { Random } from "@coterie/core";
import { expect, it } from "vitest";
import { slowSvd } from "../testing/dense.ts";
import { featuresOf } from "./features.ts";
import { weighWords } from "./tfidf.ts";

/** Items with some of the words w0, w1, …, and one last item whose word no other has. */
function interactionsOf(itemCount: number, wordCount: number) {
  const random = Random.seeded(8);
  const words = new Map<number, Map<string, number>>();
  for (let item = 0; item < itemCount; item++) {
    const counts = new Map<string, number>();
    for (let word = 0; word < wordCount; word++) if (random.below(4) === 0) counts.set(`w${word}`, 1 + random.below(3));
    words.set(item, counts.size > 0 ? counts : new Map([["w0", 1]]));
  }
  words.set(itemCount, new Map([["alone", 2]]));
  return { itemIds: [...words.keys()], words };
}

const lengthOf = (row: Iterable<number>) => Math.hypot(...row);

it("are left singular vectors times singular values, rows to unit length", () => {
  const interactions = interactionsOf(90, 70);
  const dimension = 4;
  const a = weighWords(interactions);
  const dense = interactions.itemIds.map((_, row) => {
    const out = new Array<number>(a.columnCount).fill(0);
    for (let k = a.starts[row]!; k < a.starts[row + 1]!; k++) out[a.columns[k]!] = a.values[k]!;
    return out;
  });
  const vectors = slowSvd(dense).vectors.slice(0, dimension);
  const signs = vectors.map((v) => Math.sign(v.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0)));
  const { features, zeroRows } = featuresOf(interactions, dimension);
  dense.slice(0, -1).forEach((row, item) => {
    const image = vectors.map((v, j) => signs[j]! * row.reduce((sum, x, i) => sum + x * v[i]!, 0));
    const length = lengthOf(image);
    image.forEach((value, j) => {
      expect(Math.abs(features[item * dimension + j]! - value / length)).toBeLessThan(1e-8);
    });
  });
  expect(zeroRows).toBe(1);
});

it("are zero for an item that has no part in the leading directions, and for no other", () => {
  const dimension = 3;
  const { features, zeroRows } = featuresOf(interactionsOf(60, 50), dimension);
  const lengths = Array.from({ length: 61 }, (_, i) => lengthOf(features.subarray(i * dimension, (i + 1) * dimension)));
  expect(zeroRows).toBe(1);
  expect(lengths[60]).toBe(0);
  for (const length of lengths.slice(0, 60)) expect(length).toBeCloseTo(1, 14);
});
