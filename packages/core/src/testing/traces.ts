// Random small traces. Options come from fast-check, so that they shrink; vectors and rewards from one seed among them.
import fc from "fast-check";
import { Random } from "../numbers/random.ts";
import type { OracleParameters, OracleRound, OracleTrace } from "./oracle.ts";

type Algorithm = OracleTrace["algorithm"];

/** What of a trace is not a parameter of its algorithm. */
export interface Shape {
  seed: number;
  peers: number;
  dimension: number;
  rounds: number;
  clusters: number;
  /** Multiplies every reward: theory thresholds are above 1, so prunings need estimates that far apart. */
  scale: number;
  /** Partner maps, or meetings one after another. */
  inTurn: boolean;
}

const real = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

export const shapes = (rounds: number): fc.Arbitrary<Shape> =>
  fc.record({
    seed: fc.nat(),
    peers: fc.integer({ min: 1, max: 7 }),
    dimension: fc.integer({ min: 1, max: 4 }),
    rounds: fc.integer({ min: 1, max: rounds }),
    clusters: fc.integer({ min: 1, max: 3 }),
    scale: fc.constantFrom(1, 5),
    inTurn: fc.boolean(),
  });

const radius: fc.Arbitrary<OracleParameters["radius"]> = fc.oneof(
  fc.record({ kind: fc.constant("practical" as const), alpha: real(0.05, 2) }),
  fc.record(
    {
      kind: fc.constant("theory" as const),
      norm: real(0, 1.5),
      noise: real(0.01, 0.5),
      delta: real(0.01, 0.9),
      weight: real(0.1, 3),
    },
    { requiredKeys: ["kind", "norm", "noise", "delta"] },
  ),
);

/** Short enough that slots are promoted within the few rounds of a trace; whole numbers so that > and >= differ. */
const delay: fc.Arbitrary<NonNullable<OracleParameters["delay"]>> = fc.oneof(
  fc.record({ rounds: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ rounds: real(0, 5) }),
  fc.record({ factor: real(0, 1.5), networkExponent: real(0, 1.5) }),
  fc.record({ factor: fc.constantFrom(1, 2), networkExponent: fc.constantFrom(0, 0.5, 1) }),
);

const threshold: fc.Arbitrary<NonNullable<OracleParameters["threshold"]>> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("practical" as const), factor: real(0.05, 1.2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("theory" as const),
      // No least eigenvalue is that large; but only so is a(t) above 0 within a few rounds.
      lambda: fc.oneof(real(0, 1), real(100, 900)),
      noise: real(0.01, 0.3),
      delta: real(0.05, 0.95),
    }),
  },
);

const choice = fc.constantFrom("optimistic" as const, "thompson" as const);

const gossip = {
  radius,
  choice,
  delay,
  weight: fc.constantFrom("mean" as const, "sum" as const),
  bridge: fc.boolean(),
  buffer: fc.constantFrom("slots" as const, "epoch" as const),
};

function parametersOf(algorithm: Algorithm): fc.Arbitrary<OracleParameters> {
  switch (algorithm) {
    case "club":
      return fc.record({ radius, choice, threshold: threshold.filter(({ kind }) => kind === "practical") });
    case "dcb":
      return fc.record(gossip, { requiredKeys: ["radius"] });
    case "dccb":
      return fc.record(
        { ...gossip, threshold, sharing: fc.constantFrom("equal" as const, "mutual" as const) },
        { requiredKeys: ["radius"] },
      );
    default:
      return fc.record({ radius, choice });
  }
}

export const traces = (algorithm: Algorithm, rounds: number): fc.Arbitrary<{ trace: OracleTrace; seed: number }> =>
  fc.record({ shape: shapes(rounds), parameters: parametersOf(algorithm) }).map(({ shape, parameters }) => ({
    seed: shape.seed,
    trace: traceOf(algorithm, shape, parameters),
  }));

/** The stream from which a fleet that plays the trace of `seed` draws; thompson's normals are taken from it too. */
export const policyStream = (seed: number): Random => Random.seeded(seed).fork("policy");

export function traceOf(algorithm: Algorithm, shape: Shape, parameters: OracleParameters): OracleTrace {
  const { peers, dimension } = shape;
  const truth = Array.from({ length: shape.clusters }, (_, k) =>
    vector(Random.seeded(shape.seed).fork("theta").fork(k), dimension, 1),
  );
  const clusters = Array.from({ length: peers }, (_, i) => i % shape.clusters);
  const rounds = Array.from({ length: shape.rounds }, (_, k) => ({
    ...roundOf(shape, truth, k + 1),
    // The others meet nobody, or along a ring of their own.
    ...(algorithm === "dcb" || algorithm === "dccb" ? meetingsOf(shape, k + 1) : {}),
  }));
  const told = algorithm === "oracle" ? { ...parameters, clusters } : parameters;
  return { algorithm, peers, dimension, parameters: told, rounds };
}

function roundOf(shape: Shape, truth: number[][], t: number): OracleRound {
  const { seed, peers, dimension } = shape;
  const random = Random.seeded(seed).fork("round").fork(t);
  const draws = policyStream(seed).fork("choice").fork(t);
  const all = Array.from({ length: peers }, (_, i) => i);
  const arms = all.map(() => armSet(random, dimension));
  const rewards = arms.map((set, i) =>
    set.map((arm) => shape.scale * (dot(arm, truth[i % truth.length]) + 0.1 * random.normal())),
  );
  const normals = all.map((i) => Array.from(draws.fork(i).normals(new Float64Array(dimension))));
  return { arms, rewards, normals };
}

function meetingsOf({ seed, peers, inTurn }: Shape, t: number): Pick<OracleRound, "meetings" | "partners"> {
  const random = Random.seeded(seed).fork("meetings").fork(t);
  return inTurn && peers > 1 ? { meetings: meetings(random, peers) } : { partners: partners(random, peers) };
}

const dot = (x: number[], y: number[]): number => x.reduce((sum, value, k) => sum + value * y[k], 0);

function vector(random: Random, dimension: number, length: number): number[] {
  const direction = Array.from(random.normals(new Float64Array(dimension)));
  return direction.map((value) => (length * value) / Math.sqrt(dot(direction, direction)));
}

/**
 * 1 to 9 arms of different lengths (those of one length would all tie in the first round), now and then one twice: an
 * exact tie, which goes to the lowest index.
 */
function armSet(random: Random, dimension: number): number[][] {
  const arms: number[][] = [];
  for (let left = 1 + random.below(9); left > 0; left--) {
    const again = arms.length > 0 && random.below(6) === 0;
    arms.push(again ? arms[random.below(arms.length)] : vector(random, dimension, 0.2 + 0.8 * random.uniform()));
  }
  return arms;
}

/** Everyone alone, any permutation, disjoint pairs, or one cycle through all. */
export function partners(random: Random, peers: number): number[] {
  const order = Array.from({ length: peers }, (_, i) => i);
  const kind = random.below(4);
  if (kind === 0) return order;
  random.shuffle(order);
  if (kind === 1) return order;
  const next = (k: number): number => (kind === 2 ? (k + 1) % peers : k % 2 === 1 ? k - 1 : Math.min(k + 1, peers - 1));
  const map = Array.from(order);
  order.forEach((peer, k) => {
    map[peer] = order[next(k)];
  });
  return map;
}

function meetings(random: Random, peers: number): [number, number][] {
  return Array.from({ length: random.below(2 * peers) }, () => {
    const a = random.below(peers);
    return [a, (a + 1 + random.below(peers - 1)) % peers];
  });
}
