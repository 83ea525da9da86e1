/**
 * Sine and cosine of a part of a turn, with the same bits in every engine (those of `Math.sin` differ).
 * Taylor's series on an eighth of a turn, where the terms below reach the last bit: π/4 to the 17th over 17! is 5e-17.
 */

const SINES = series(1);
const COSINES = series(0);

/** sin 2πu, for 0 <= u < 1. */
export const sine = (u: number): number => eighth(u, 0);

/** cos 2πu, for 0 <= u < 1. */
export const cosine = (u: number): number => eighth(u, 1);

/** By quarters: with u = (q + v)/4, |v| <= 1/2, a sine is ±sin or ±cos of v quarters. */
function eighth(u: number, shift: 0 | 1): number {
  const quarter = Math.round(4 * u);
  const angle = ((4 * u - quarter) * Math.PI) / 2;
  const kind = (quarter + shift) & 3;
  const size = (kind & 1) === 0 ? angle * sum(SINES, angle * angle) : sum(COSINES, angle * angle);
  // No negative zero: it would be another one than that of the same place on another round.
  return kind < 2 ? size : 0 - size;
}

function sum(terms: readonly number[], square: number): number {
  let total = 0;
  for (let k = terms.length - 1; k >= 0; k--) total = total * square + terms[k]!;
  return total;
}

/** (−1)^k / (2k + first)! */
function series(first: 0 | 1): number[] {
  const terms = [1];
  for (let k = 1; k < 9; k++) terms.push(-terms[k - 1]! / ((2 * k + first) * (2 * k + first - 1)));
  return terms;
}
