import { powerOfTwo } from "./powers.ts";

/** ln 2 in two parts: k times the first, of 24 bits, is exact, so that no bits of r are lost where x is large. */
const LN2_HIGH = 0.6931471824645996;
const LN2_LOW = -1.904654299957768e-9;

/**
 * eˣ of our own, for the reason that `ln` is: x = k ln 2 + r with |r| <= ½ ln 2, a series for eʳ (fourteen terms reach
 * 2⁻⁶⁰), then 2ᵏ times that, which is exact. 0 below −700, Infinity above 700.
 */
export function exp(x: number): number {
  if (x < -700) return 0;
  if (x > 700) return Infinity;
  const k = Math.round(x / LN2_HIGH);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 14; n > 0; n--) sum = 1 + (sum * r) / n;
  return sum * powerOfTwo(k);
}
