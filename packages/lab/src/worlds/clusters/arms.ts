import type { Random } from "@coterie/core";
import { Catalogue } from "./catalogue.ts";
import { type ClustersConfig, realFeatures } from "./config.ts";
import { fillSigns, fillSphere, lean } from "./vectors.ts";

/** How the arms of one peer and turn are drawn: [arm][feature], the real features only. */
export type FillArms = (values: Float64Array, draw: Random) => void;

/** `random` is the world's: what is fixed for a seed is drawn from it at once. */
export function armsOf(config: ClustersConfig, random: Random): FillArms {
  const d = realFeatures(config);
  const { distribution, catalogue, correlated } = config;
  if (distribution?.kind === "signs") return (values, draw) => fillSigns(values, d, distribution.least, draw);
  const free = correlated === undefined ? freeVectors(d) : sharedDirection(d, correlated, random.fork("direction"));
  if (catalogue === undefined) return free;
  const shown = new Catalogue(catalogue, d, free, random.fork("catalogue"));
  return (values, draw) => shown.fill(values, draw);
}

/** Are arms drawn afresh from the unit sphere, and nothing else? Those can be drawn for many peers at once. */
export const plainArms = ({ distribution, catalogue, correlated, constant }: ClustersConfig): boolean =>
  distribution?.kind !== "signs" && [catalogue, correlated, constant].every((field) => field === undefined);

const freeVectors =
  (d: number): FillArms =>
  (values, draw) =>
    fillSphere(values, d, draw);

function sharedDirection(d: number, share: number, random: Random): FillArms {
  const direction = new Float64Array(d);
  fillSphere(direction, d, random);
  return (values, draw) => {
    fillSphere(values, d, draw);
    lean(values, direction, share);
  };
}

/** The arm a peer sees: real features x of unit length become (√(1−c²) x, c). `real` [arm][d−1], `values` [arm][d]. */
export function addConstant(values: Float64Array, real: Float64Array, d: number, constant: number): void {
  const scale = Math.sqrt(1 - constant * constant);
  for (let at = 0, from = 0; from < real.length; at++, from += d - 1) {
    for (let i = 0; i < d - 1; i++) values[at * d + i] = scale * real[from + i]!;
    values[at * d + d - 1] = constant;
  }
}
