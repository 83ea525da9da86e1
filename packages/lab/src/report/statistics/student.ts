import { errorFunction } from "simple-statistics";

/** The 97.5 % point of the standard normal. */
const Z = 1.959963984540054;
/** The 97.5 % points of Student's t with 1 to 4 degrees of freedom; the expansion below is good from 5 on. */
const FEW = [12.7062, 4.3027, 3.1824, 2.7764];

/** The 97.5 % point of Student's t: Cornish and Fisher's expansion in 1/freedom, right to 0.003. */
export function studentPoint(freedom: number): number {
  if (freedom <= FEW.length) return FEW[freedom - 1]!;
  const first = (Z ** 3 + Z) / 4;
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return Z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** P(N < z) of the standard normal. */
export const normalBelow = (z: number): number => (1 + errorFunction(z / Math.SQRT2)) / 2;
