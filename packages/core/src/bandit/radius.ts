import type { Factor } from "../numbers/factor.ts";
import { ln } from "../numbers/ln.ts";
import { atLeast, between, fields, join, oneOf } from "../options.ts";

/** How wide the confidence ball is: the paper's, or the one used in practice. */
export type Radius =
  | { readonly kind: "practical"; readonly alpha: number }
  | {
      readonly kind: "theory";
      /** Bounds ‖θ‖. */
      readonly norm: number;
      /** R: the noise is R-subgaussian. */
      readonly noise: number;
      readonly delta: number;
      /** W: bounds the weight that an observation can have (Proposition 1); 1 unless set. */
      readonly weight: number;
    };

export const DEFAULT_RADIUS: Radius = { kind: "practical", alpha: 0.3 };

export function parseRadius(field: string, value: unknown): Radius {
  if (value === undefined) return DEFAULT_RADIUS;
  const given = fields(field, value, ["kind", "alpha", "norm", "noise", "delta", "weight"]);
  const kind = oneOf(join(field, "kind"), given.kind, ["practical", "theory"]);
  if (kind === "practical") {
    fields(field, value, ["kind", "alpha"]);
    return { kind, alpha: atLeast(join(field, "alpha"), given.alpha, 0) };
  }
  fields(field, value, ["kind", "norm", "noise", "delta", "weight"]);
  return {
    kind,
    norm: atLeast(join(field, "norm"), given.norm, 0),
    noise: atLeast(join(field, "noise"), given.noise, 0),
    delta: between(join(field, "delta"), given.delta, 0, 1),
    weight: given.weight === undefined ? 1 : atLeast(join(field, "weight"), given.weight, 0),
  };
}

/**
 * practical: α √ln(t+1);  theory: norm + W R √(2 (½ ln det A − ln δ)) (equation of Proposition 1).
 * with A = L Lᵀ given by its factor.
 */
export function radiusAt(radius: Radius, round: number, factor: Factor): number {
  if (radius.kind === "practical") return radius.alpha * Math.sqrt(ln(round + 1));
  return radius.norm + radius.weight * radius.noise * Math.sqrt(2 * (0.5 * factor.logDeterminant() - ln(radius.delta)));
}
