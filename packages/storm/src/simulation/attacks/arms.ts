import type { Arms, Random } from "@coterie/core";

export const DIMENSION = 5;
export const ARMS = 8;

/** What a peer is offered in a round, and how far off each reward will be. */
export interface Drawn {
  readonly arms: Arms;
  readonly noise: Float64Array;
}

export function draw(random: Random): Drawn {
  const values = new Float64Array(ARMS * DIMENSION);
  for (let arm = 0; arm < ARMS; arm++) values.set(unit(random), arm * DIMENSION);
  return { arms: { count: ARMS, values }, noise: random.normals(new Float64Array(ARMS)).map((value) => 0.3 * value) };
}

/** Anywhere on the sphere, a hair's breadth within. */
export function unit(random: Random): Float64Array {
  const out = random.normals(new Float64Array(DIMENSION));
  const length = Math.sqrt(out.reduce((sum, value) => sum + value * value, 0)) * 1.000001;
  return out.map((value) => value / length);
}

/** θ · x of one arm. */
export function dot(theta: Float64Array, { values }: Arms, arm: number): number {
  let sum = 0;
  for (let i = 0; i < DIMENSION; i++) sum += theta[i]! * values[arm * DIMENSION + i]!;
  return sum;
}
