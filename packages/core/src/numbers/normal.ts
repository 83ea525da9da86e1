import { exp } from "./exp.ts";

/** 1 / √(2π). */
const DENSITY_AT_ZERO = 0.3989422804014327;

/**
 * Φ(x), the probability that a standard normal lies below x, for |x| <= 8: ½ + φ(x) · Σ x²ᵏ⁺¹ / (1·3·5···(2k+1)). All terms
 * have the sign of x, so nothing cancels; what lies far out in a tail is known to about 10⁻¹⁶, not to its own digits.
 */
export function normalBelow(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + DENSITY_AT_ZERO * exp(-0.5 * x * x) * sum;
}

/** z with P(−z < N < z) = `confidence`, strictly between 0 and 1: 1.96 for 0.95. By halving; Φ rises. */
export function normalReach(confidence: number): number {
  const below = 0.5 + confidence / 2;
  let low = 0;
  let high = 8;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < below) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
