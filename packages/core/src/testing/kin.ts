// Peers with a θ each, and what they have seen.
import { type PeerRecord, publish, type Sums } from "../kindred/record.ts";
import { addObservation, slotSize } from "../numbers/packed.ts";
import type { Random } from "../numbers/random.ts";
import { dot, type Vector } from "./dense.ts";

export interface Seen {
  readonly arms: Vector[];
  readonly rewards: Vector;
}

/** `count` arms of about unit length, paid x·θ + N(0, noise²). */
export function look(random: Random, theta: Vector, count: number, noise: number): Seen {
  const d = theta.length;
  const arms = Array.from({ length: count }, () =>
    Array.from(random.normals(new Float64Array(d)), (x) => x / Math.sqrt(d)),
  );
  return { arms, rewards: arms.map((x) => dot(x, theta) + noise * random.normal()) };
}

export function sumsOf({ arms, rewards }: Seen, dimension: number): Sums {
  const slot = new Float64Array(slotSize(dimension));
  arms.forEach((x, k) => {
    addObservation(slot, 0, dimension, Float64Array.from(x), 0, rewards[k]);
  });
  return { slot, squares: dot(rewards, rewards), count: arms.length };
}

export const both = (a: Seen, b: Seen): Seen => ({
  arms: [...a.arms, ...b.arms],
  rewards: [...a.rewards, ...b.rewards],
});

export const recordOf = (origin: string, version: number, seen: Seen, dimension: number): PeerRecord =>
  publish(origin, version, sumsOf(seen, dimension));

export const gauss = (random: Random, mean: Vector, deviation: number): Vector =>
  mean.map((m) => m + deviation * random.normal());
