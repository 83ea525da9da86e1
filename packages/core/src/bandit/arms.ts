import { ConfigError } from "../errors.ts";

/** What a peer is offered in a round: `count` vectors of the peer's dimension, row by row. Lent, never kept. */
export interface Arms {
  readonly count: number;
  /** [arm][feature]; may be longer than needed. */
  readonly values: Float64Array;
}

/** Beyond this an arm is outside the unit ball; the slack is for rounding only. */
const LARGEST_SQUARE = (1 + 1e-9) ** 2;

/** Arms from ordinary lists. */
export function armsFrom(vectors: readonly ArrayLike<number>[], dimension: number): Arms {
  const values = new Float64Array(vectors.length * dimension);
  vectors.forEach((vector, arm) => {
    if (vector.length !== dimension) throw new ConfigError(`arms[${arm}]`, vector, `have ${dimension} features`);
    values.set(vector, arm * dimension);
  });
  return { count: vectors.length, values };
}

/** Throws unless there is at least one arm and every arm is finite and within the unit ball. */
export function checkArms(arms: Arms, dimension: number, field = "arms"): void {
  const { count, values } = arms;
  if (!Number.isSafeInteger(count) || count < 1) throw new ConfigError(`${field}.count`, count, "be at least 1");
  if (!(values instanceof Float64Array) || values.length < count * dimension) {
    throw new ConfigError(`${field}.values`, values, `hold ${count} arms of ${dimension} features`);
  }
  for (let arm = 0; arm < count; arm++) checkArm(values, arm * dimension, dimension, field, arm);
}

function checkArm(values: Float64Array, offset: number, dimension: number, field: string, arm: number): void {
  let square = 0;
  for (let i = 0; i < dimension; i++) square += values[offset + i]! * values[offset + i]!;
  if (square <= LARGEST_SQUARE) return; // false for NaN and infinities too
  for (let i = 0; i < dimension; i++) {
    const value = values[offset + i]!;
    if (!Number.isFinite(value)) throw new ConfigError(`${field}[${arm}][${i}]`, value, "be a finite number");
  }
  throw new ConfigError(`${field}[${arm}]`, `length ${Math.sqrt(square)}`, "lie within the unit ball");
}
