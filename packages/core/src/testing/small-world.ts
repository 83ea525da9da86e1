import { armsFrom } from "../bandit/arms.ts";
import type { OfferedTurn } from "../fleet/offered.ts";
import { Random } from "../numbers/random.ts";

export interface SmallWorldConfig {
  readonly seed: number;
  readonly peers: number;
  readonly dimension: number;
  readonly arms?: number;
  /** Peer i is of cluster i mod clusters. */
  readonly clusters?: number;
}

/** No reward of a small world is larger, in size. */
export const LARGEST_REWARD = 1.5;

/** A world for tests: unit θ per cluster, arms in the unit ball, noise uniform within ±½. The same for the same seed. */
export function smallWorld({ seed, peers, dimension, arms = 4, clusters = 1 }: SmallWorldConfig) {
  const random = Random.seeded(seed);
  const thetas = Array.from({ length: clusters }, (_, k) => unit(random.fork("theta").fork(k), dimension));
  return (round: number): OfferedTurn => {
    const draws = random.fork("round").fork(round);
    const offers = Array.from({ length: peers }, (_, i) => {
      const draw = draws.fork(i);
      const vectors = Array.from({ length: arms }, () => {
        const length = Math.sqrt(draw.uniform());
        return unit(draw, dimension).map((x) => length * x);
      });
      const theta = thetas[i % clusters]!;
      const paid = vectors.map((x) => dot(x, theta) + draw.uniform() - 0.5);
      return { arms: armsFrom(vectors, dimension), paid };
    });
    return { arms: (peer) => offers[peer]!.arms, pay: (peer, arm) => offers[peer]!.paid[arm]! };
  };
}

function unit(random: Random, dimension: number): Float64Array {
  const vector = random.normals(new Float64Array(dimension));
  // The last bits may fall outside the ball otherwise; a little shorter is as good.
  const length = Math.sqrt(dot(vector, vector)) * (1 + 1e-12);
  return vector.map((x) => x / length);
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
