import { type Arms, kindred, type Peer, type PeerId, type Policy, type Random } from "@coterie/core";
import { kindsPolicy } from "./kinds.ts";

/** What members learn: a stand-in that knows kinds without noise, or the shipped kindred from rewards. */
export type Learning = "kinds" | "kindred";

/** What one member sees of the world, and when. */
interface Turn {
  readonly arm: Float64Array;
  readonly reward: number;
  /** What the best arm would have earned more, in expectation. */
  readonly regret: number;
}

/** What the members of a room have in common as learners. */
export interface School {
  readonly policy: Policy;
  readonly dimension: number;
  /** Between two choices of a member; null where it makes none. */
  readonly turnMs: number | null;
  /** A choice of a member of some kind among arms of now, and its reward. */
  turn(kind: number, peer: Peer, random: Random): Turn;
}

const DIMENSION = 10;
const ARMS = 10;
const NOISE = 0.5;
const TURN_MS = 1000;

/** Nothing is seen, because who is kin is known. */
const idle = (policy: Policy): School => ({
  policy,
  dimension: 1,
  turnMs: null,
  turn: () => ({ arm: new Float64Array(1), reward: 0, regret: 0 }),
});

interface SchoolConfig {
  readonly learning: Learning;
  readonly kinds: number;
  readonly noise?: number | undefined;
}

export function schoolOf(
  { learning, kinds, noise = NOISE }: SchoolConfig,
  random: Random,
  kindOf: (peer: PeerId) => number,
): School {
  if (learning === "kinds") return idle(kindsPolicy(kindOf));
  const tastes = Array.from({ length: kinds }, () => direction(random));
  return {
    policy: kindred(),
    dimension: DIMENSION,
    turnMs: TURN_MS,
    turn: (kind, peer, own) => choose(tastes[kind]!, noise, peer, own),
  };
}

/** One of ten arms from the unit sphere, as the peer picks it. */
function choose(taste: Float64Array, noise: number, peer: Peer, random: Random): Turn {
  const arms: Arms = { count: ARMS, values: new Float64Array(ARMS * DIMENSION) };
  for (let k = 0; k < ARMS; k++) arms.values.set(direction(random), k * DIMENSION);
  const at = peer.learner.choose(arms, peer.round, random);
  const arm = arms.values.slice(at * DIMENSION, (at + 1) * DIMENSION);
  const means = Array.from({ length: ARMS }, (_, k) => dot(arms.values.subarray(k * DIMENSION), taste));
  const mean = means[at]!;
  return { arm, reward: mean + noise * random.normal(), regret: Math.max(...means) - mean };
}

const dot = (a: Float64Array, b: Float64Array): number => b.reduce((sum, x, i) => sum + x * a[i]!, 0);

function direction(random: Random): Float64Array {
  const vector = Float64Array.from({ length: DIMENSION }, () => random.normal());
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}
