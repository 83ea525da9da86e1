import { slotSize, traceOf, triangleSize } from "../numbers/packed.ts";
import type { Heritage } from "./learner.ts";

/** A number of an old vector, and what it counts in a new one. */
export interface Term {
  readonly column: number;
  readonly factor: number;
}

/** How vectors of one schema become those of another: x′ = M x, M of shape d′ × d; and rewards, r′ = s r. */
export interface Carry {
  /** d. */
  readonly from: number;
  /** The entries of M that are not 0, row by row: d′ lists. An empty one is a column of which nothing is known. */
  readonly rows: readonly (readonly Term[])[];
  /** Old columns whose θ is integrated out before x is mapped. */
  readonly marginal: readonly number[];
  /** s. */
  readonly reward: number;
}

/** x′ = M x. */
export function carryVector(x: Float64Array, { rows }: Carry): Float64Array {
  return Float64Array.from(rows, (row) => row.reduce((sum, { column, factor }) => sum + factor * x[column]!, 0));
}

/**
 * The sums that the same observations have in another schema:
 *
 *     A′ = Σ x′x′ᵀ = M A Mᵀ,   b′ = Σ r′x′ = s M b,   Σ r′² = s² Σ r².
 *
 * That is exact: it is what a peer would hold that had had the new schema from the start. An old column without a place in
 * M is left out: rewards are then explained by the others alone, as if nobody had ever declared it.
 *
 * Not so for a `marginal` column g, a value that no item has any more. Without its column its observations would look like
 * those of items with no value at all, and what they were worth would be put down to the bias. So its θ is integrated out,
 * under a flat prior:
 *
 *     A ← A − A_g A_gᵀ / A_gg,   b ← b − A_g b_g / A_gg,   Σ r² ← Σ r² − b_g² / A_gg,   count ← count − 1.
 *
 * Where a range became narrower, x′ may lie outside the unit ball, which no observation does. All sums are then made
 * smaller by one factor, so that tr A′ <= count: the same estimate, held with less certainty.
 */
export function carryHeritage(heritage: Heritage, carry: Carry): Heritage {
  const { from, rows, marginal, reward } = carry;
  const { slot: old, squares: oldSquares, count } = integrateOut(heritage, from, marginal);
  const dimension = rows.length;
  const slot = new Float64Array(slotSize(dimension));
  let at = 0;
  for (let i = 0; i < dimension; i++) for (let j = 0; j <= i; j++) slot[at++] = product(old, rows[i]!, rows[j]!);
  const moment = triangleSize(from);
  for (const row of rows) {
    let sum = 0;
    for (const { column, factor } of row) sum += factor * old[moment + column]!;
    slot[at++] = reward * sum;
  }
  const trace = traceOf(slot, dimension);
  const shrink = trace > count ? count / trace : 1;
  if (shrink < 1) for (let k = 0; k < slot.length; k++) slot[k]! *= shrink;
  return { ...heritage, slot, squares: shrink * reward * reward * oldSquares, count };
}

/** (M A Mᵀ)_ij from two rows of M. */
function product(slot: Float64Array, one: readonly Term[], other: readonly Term[]): number {
  let sum = 0;
  for (const a of one) for (const b of other) sum += a.factor * b.factor * slot[placeOf(a.column, b.column)]!;
  return sum;
}

const placeOf = (i: number, j: number): number => (i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i);

function integrateOut({ slot: given, squares: all, count: seen }: Heritage, d: number, columns: readonly number[]) {
  const slot = given.slice();
  const moment = triangleSize(d);
  let squares = all;
  let count = seen;
  for (const g of columns) {
    const pivot = slot[placeOf(g, g)]!;
    // Nobody has seen it, or those columns that are gone already say all there was to it.
    if (!(pivot > 1e-9 * seen)) continue;
    const column = Float64Array.from({ length: d }, (_, i) => slot[placeOf(i, g)]!);
    const paid = slot[moment + g]!;
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) slot[at++]! -= (column[i]! * column[j]!) / pivot;
      slot[moment + i]! -= (column[i]! * paid) / pivot;
    }
    squares = Math.max(0, squares - (paid * paid) / pivot);
    count = Math.max(0, count - 1);
  }
  // Rounding may leave less than nothing where all there was is gone.
  for (let i = 0; i < d; i++) slot[placeOf(i, i)] = Math.max(0, slot[placeOf(i, i)]!);
  return { slot, squares, count };
}
