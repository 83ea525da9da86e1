import type { Random } from "@coterie/core";
import { type BestItem, type ClustersConfig, realFeatures } from "./config.ts";
import { fillSphere, normalise, orthonormal } from "./vectors.ts";

/** The θ of all clusters, [cluster][feature]: random unit vectors, unless the config says otherwise. */
export function drawThetas(config: ClustersConfig, random: Random): Float64Array {
  const { clusters, gap, rank, relevant, tastes } = config;
  const d = realFeatures(config);
  const thetas = new Float64Array(clusters * d);
  if (gap !== undefined) fillApart(thetas, d, gap, random);
  else if (rank !== undefined) fillOfRank(thetas, d, rank, random);
  else if (relevant !== undefined) fillRelevant(thetas, d, relevant, random);
  else if (tastes !== undefined) fillBest(thetas, d, tastes, random);
  else fillSphere(thetas, d, random);
  return thetas;
}

/**
 * With a gap g, θ_k = √(1 − g²/2) c + (g/√2) e_k with c and all e_k orthonormal at random: unit vectors any two of which
 * lie g apart.
 */
function fillApart(thetas: Float64Array, d: number, gap: number, random: Random): void {
  const clusters = thetas.length / d;
  const axes = orthonormal(clusters + 1, d, random);
  for (let k = 0; k < clusters; k++) {
    for (let i = 0; i < d; i++) {
      thetas[k * d + i] = Math.sqrt(1 - (gap * gap) / 2) * axes[i]! + (gap / Math.SQRT2) * axes[(k + 1) * d + i]!;
    }
  }
}

/** θ_k = normalise(Σ_j w_kj b_j) with `rank` random unit vectors b_j, the same for all, and standard normal w_kj. */
function fillOfRank(thetas: Float64Array, d: number, rank: number, random: Random): void {
  const basis = new Float64Array(rank * d);
  fillSphere(basis, d, random.fork("basis"));
  for (let from = 0; from < thetas.length; from += d) {
    for (let j = 0; j < rank; j++) {
      const weight = random.normal();
      for (let i = 0; i < d; i++) thetas[from + i]! += weight * basis[j * d + i]!;
    }
    normalise(thetas, from, d);
  }
}

/** The first `relevant` features standard normal, the others 0, normalised. */
function fillRelevant(thetas: Float64Array, d: number, relevant: number, random: Random): void {
  for (let from = 0; from < thetas.length; from += d) {
    random.normals(thetas, from, relevant);
    normalise(thetas, from, d);
  }
}

function fillBest(thetas: Float64Array, d: number, { high, low }: BestItem, random: Random): void {
  thetas.fill(low);
  for (let from = 0; from < thetas.length; from += d) thetas[from + random.below(d)] = high;
}

/** The best item of each cluster changes places with another one, drawn. */
export function moveBest(thetas: Float64Array, d: number, random: Random): void {
  for (let from = 0; from < thetas.length; from += d) {
    const row = thetas.subarray(from, from + d);
    const best = row.indexOf(row.reduce((most, value) => Math.max(most, value), -Infinity));
    const next = (best + 1 + random.below(d - 1)) % d;
    [row[best], row[next]] = [row[next]!, row[best]!];
  }
}
