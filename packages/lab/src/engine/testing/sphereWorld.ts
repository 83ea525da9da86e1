import { type Arms, Random } from "@coterie/core";
import type { OfferedTurn } from "@coterie/core/internal";

/** Rounds of unit arms with a θ for each cluster, drawn beforehand; the same for the same seed. */
export function sphereWorld(seed: number, peers: number, dimension: number, arms: number, clusters: number) {
  const random = Random.seeded(seed);
  const thetas = units(random.fork("theta"), clusters, dimension);
  return (round: number): OfferedTurn => {
    const draws = random.fork("round").fork(round);
    const offers: Arms[] = [];
    const paid: number[][] = [];
    for (let i = 0; i < peers; i++) {
      const draw = draws.fork(i);
      const values = units(draw, arms, dimension);
      offers.push({ count: arms, values });
      paid.push(
        Array.from({ length: arms }, (_, arm) => {
          let mean = 0.1 * draw.normal();
          for (let k = 0; k < dimension; k++)
            mean += values[arm * dimension + k]! * thetas[(i % clusters) * dimension + k]!;
          return mean;
        }),
      );
    }
    return { arms: (peer) => offers[peer]!, pay: (peer, arm) => paid[peer]![arm]! };
  };
}

function units(random: Random, count: number, dimension: number): Float64Array {
  const values = random.normals(new Float64Array(count * dimension));
  for (let from = 0; from < values.length; from += dimension) {
    let square = 0;
    for (let k = from; k < from + dimension; k++) square += values[k]! * values[k]!;
    for (let k = from; k < from + dimension; k++) values[k]! /= Math.sqrt(square) * (1 + 1e-12);
  }
  return values;
}
