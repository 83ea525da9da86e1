import { ln } from "@coterie/core/internal";
import type { Interactions } from "../interactions.ts";
import type { Sparse } from "./sparse.ts";

/**
 * Items by words, in the order of the catalogue and of the alphabet (by code unit):
 * count × (ln((1 + n) / (1 + df)) + 1), rows to unit length.
 * n is the number of items in the catalogue, df the number of those that have the word.
 */
export function weighWords({ itemIds, words }: Pick<Interactions, "itemIds" | "words">): Sparse {
  const { index, weights } = vocabulary(itemIds, words);
  let entryCount = 0;
  for (const item of itemIds) entryCount += words.get(item)!.size;
  const starts = new Int32Array(itemIds.length + 1);
  const columns = new Int32Array(entryCount);
  const values = new Float64Array(entryCount);
  itemIds.forEach((item, row) => {
    const from = starts[row]!;
    let to = from;
    // Ascending columns, so that the order of addition does not hang on the order of rows in a file.
    const entries = Array.from(words.get(item)!, ([word, count]) => ({ column: index.get(word)!, count }));
    for (const { column, count } of entries.sort((x, y) => x.column - y.column)) {
      columns[to] = column;
      values[to++] = count * weights[column]!;
    }
    toUnitLength(values.subarray(from, to));
    starts[row + 1] = to;
  });
  return { rowCount: itemIds.length, columnCount: index.size, starts, columns, values };
}

function vocabulary(itemIds: readonly number[], words: Interactions["words"]) {
  const frequencies = new Map<string, number>();
  for (const item of itemIds) {
    for (const word of words.get(item)!.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const sorted = [...frequencies.keys()].sort();
  const weight = (word: string) => ln((1 + itemIds.length) / (1 + frequencies.get(word)!)) + 1;
  return {
    index: new Map(sorted.map((word, column) => [word, column])),
    weights: Float64Array.from(sorted, weight),
  };
}

/** Divides by the Euclidean length, which must not be 0. */
export function toUnitLength(row: Float64Array): void {
  let square = 0;
  for (const value of row) square += value * value;
  const length = Math.sqrt(square);
  for (let j = 0; j < row.length; j++) row[j]! /= length;
}
