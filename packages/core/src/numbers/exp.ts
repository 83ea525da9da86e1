import { ln } from "./ln.ts";

const LN2 = ln(2);

/**
 * eˣ of our own, for the reason that `ln` is: x = k ln 2 + r with |r| <= ½ ln 2, a series for eʳ (fourteen terms reach
 * 2⁻⁶⁰), then k doublings or halvings, which are exact. 0 below −700, Infinity above 700.
 */
export function exp(x: number): number {
  if (x < -700) return 0;
  if (x > 700) return Infinity;
  const k = Math.round(x / LN2);
  const r = x - k * LN2;
  let sum = 1;
  for (let n = 14; n > 0; n--) sum = 1 + (sum * r) / n;
  const step = k < 0 ? 0.5 : 2;
  for (let left = Math.abs(k); left > 0; left--) sum *= step;
  return sum;
}
