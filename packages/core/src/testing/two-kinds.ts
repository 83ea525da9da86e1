// A world in which finding one's kind pays at once, and what came of playing it.
import { armsFrom } from "../bandit/arms.ts";
import type { CentralPolicy } from "../central/centre.ts";
import { createFleet } from "../fleet/fleet.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { dot } from "./dense.ts";
import { range } from "./play.ts";

const PEERS = 16;
const DIMENSION = 6;
const ARMS = 8;
const ROUNDS = 400;

export interface TwoKinds {
  /** Of the second half, when there was time to find one's kind. */
  regret: number;
  /** After each round: how many pools there are. */
  pools: number[];
  /** In the end two peers are in one pool exactly if they are of one cluster. */
  recovered: boolean;
}

/** Even peers want θ, odd ones −θ; the noise is large, so that a peer alone learns slowly. */
export function playTwoKinds(policy: Policy | CentralPolicy, rounds = ROUNDS): TwoKinds {
  const random = Random.seeded(21);
  const theta = unit(random.fork("theta"));
  const fleet = createFleet({ policy, dimension: DIMENSION, peers: PEERS, random: random.fork("policy") });
  const all = range(PEERS);
  const pools: number[] = [];
  let regret = 0;
  for (let round = 1; round <= rounds; round++) {
    const offers = all.map((i) => {
      const draw = random.fork("round").fork(round).fork(i);
      const vectors = range(ARMS).map(() => unit(draw));
      const means = vectors.map((x) => (i % 2 === 0 ? 1 : -1) * dot(x, theta));
      return { arms: armsFrom(vectors, DIMENSION), means, noise: 0.7 * draw.normal() };
    });
    fleet.round({ arms: (i) => offers[i].arms, pay: (i, arm) => offers[i].means[arm] + offers[i].noise });
    for (const i of round > rounds / 2 ? all : [])
      regret += Math.max(...offers[i].means) - offers[i].means[fleet.choices[i]];
    // A pool is counted at its lowest member.
    pools.push(all.filter((i) => all.findIndex((j) => fleet.near(i, j)) === i).length);
  }
  const recovered = all.every((i) => all.every((j) => fleet.near(i, j) === (i % 2 === j % 2)));
  return { regret, pools, recovered };
}

function unit(random: Random): number[] {
  const vector = Array.from(random.normals(new Float64Array(DIMENSION)));
  const length = Math.hypot(...vector) * (1 + 1e-12);
  return vector.map((x) => x / length);
}
