import { ln } from "./ln.ts";

/** ln Γ(x), x > 0: Stirling's series from 8 on, below that by Γ(x) = Γ(x + 1)/x. Off by less than 1e-12. */
export function lnGamma(x: number): number {
  let product = 1;
  let at = x;
  while (at < 8) {
    product *= at;
    at += 1;
  }
  const inverse = 1 / at;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188))));
  return (at - 0.5) * ln(at) - at + 0.9189385332046727 + series - ln(product);
}
