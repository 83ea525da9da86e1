import type { Interactions } from "../interactions.ts";
import { times } from "./sparse.ts";
import { truncatedSvd } from "./svd.ts";
import { toUnitLength, weighWords } from "./tfidf.ts";

/** One vector of unit length for each item of the catalogue. */
export interface ItemFeatures {
  /** itemCount × dimension, by rows, in the order of the catalogue. */
  readonly features: Float64Array;
  /** How many items have no part in the leading directions; their rows are zero. */
  readonly zeroRows: number;
}

/**
 * A row had unit length before the projection, so this is the share of it that is left. Below, there is nothing but the
 * error of the decomposition, and to stretch that to unit length would make up a direction. Such an item (its words
 * occur with no others that matter) keeps its place in the catalogue with a zero vector: an arm that tells nothing.
 */
const NOTHING_LEFT = 1e-9;

/** Left singular vectors times singular values, U Σ = A V, rows to unit length. */
export function featuresOf(interactions: Pick<Interactions, "itemIds" | "words">, dimension: number): ItemFeatures {
  const a = weighWords(interactions);
  const { vectors } = truncatedSvd(a, dimension);
  const features = times(new Float64Array(a.rowCount * dimension), a, vectors, dimension);
  let zeroRows = 0;
  for (let item = 0; item < a.rowCount; item++) {
    const row = features.subarray(item * dimension, (item + 1) * dimension);
    let square = 0;
    for (const value of row) square += value * value;
    if (square > NOTHING_LEFT * NOTHING_LEFT) toUnitLength(row);
    else {
      row.fill(0);
      zeroRows++;
    }
  }
  return { features, zeroRows };
}
