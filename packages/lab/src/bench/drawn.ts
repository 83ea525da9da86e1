import { type Arms, createFleet, type DcbOptions, dcb, Random } from "@coterie/core";
import type { OfferedTurn } from "@coterie/core/internal";
import { BatchedFleet } from "../engine/fleet.ts";

export interface BenchSize {
  readonly V: number;
  readonly d: number;
  readonly K: number;
  readonly L: number;
}

export const SIZES: readonly BenchSize[] = [
  { V: 100, d: 25, K: 25, L: 93 },
  { V: 1000, d: 10, K: 10, L: 100 },
];

/** Rounds of arms drawn beforehand, used again and again: a benchmark of rounds is none of the generator. */
const ROUNDS = 4;

/** `count` unit vectors, row by row. */
export function sphere(random: Random, count: number, d: number): Float64Array {
  const values = random.normals(new Float64Array(count * d));
  for (let from = 0; from < values.length; from += d) {
    let square = 0;
    for (let i = from; i < from + d; i++) square += values[i]! * values[i]!;
    const scale = 1 / Math.sqrt(square);
    for (let i = from; i < from + d; i++) values[i]! *= scale;
  }
  return values;
}

/** Offers of a few rounds, and what each arm would pay. */
export function drawn({ V, d, K }: BenchSize): { offered: OfferedTurn[]; theta: Float64Array } {
  const random = Random.seeded(1);
  const theta = sphere(random, 1, d);
  const offered = Array.from({ length: ROUNDS }, () => {
    const arms: Arms[] = Array.from({ length: V }, () => ({ count: K, values: sphere(random, K, d) }));
    const paid = Float64Array.from({ length: V * K }, (_, at) => {
      const { values } = arms[Math.floor(at / K)]!;
      let mean = 0.1 * random.normal();
      for (let i = 0; i < d; i++) mean += values[(at % K) * d + i]! * theta[i]!;
      return mean;
    });
    return { arms: (peer: number) => arms[peer]!, pay: (peer: number, arm: number) => paid[peer * K + arm]! };
  });
  return { offered, theta };
}

const policyOf = ({ L }: BenchSize) =>
  dcb({ delay: { rounds: L }, radius: { kind: "theory", norm: 1, noise: 0.1, delta: 0.01, weight: 1 } });

/** A round of core's own fleet, a call. */
export function plainRounds(size: BenchSize): () => void {
  const { offered } = drawn(size);
  const fleet = createFleet({ policy: policyOf(size), dimension: size.d, peers: size.V, random: Random.seeded(2) });
  let round = 0;
  return () => {
    round += 1;
    fleet.round(offered[round % ROUNDS]!);
  };
}

/** The same of the batched engine, with its arms in place as [peer][feature][arm]. */
export function batchedRounds(size: BenchSize): () => void {
  const { offered } = drawn(size);
  const options = policyOf(size).options as DcbOptions;
  const fleet = new BatchedFleet({
    kind: "dcb",
    options,
    dimension: size.d,
    peers: size.V,
    arms: size.K,
    rounds: Number.MAX_SAFE_INTEGER,
    random: Random.seeded(2),
    armRounds: ROUNDS,
  });
  offered.forEach((round, k) => {
    fleet.place(round, k);
  });
  let round = 0;
  return () => {
    round += 1;
    fleet.play(offered[round % ROUNDS]!.pay, round % ROUNDS);
  };
}
