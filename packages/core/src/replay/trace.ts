import { checkArms } from "../bandit/arms.ts";
import { parseRadius, type Radius } from "../bandit/radius.ts";
import { checkReward } from "../bandit/reward.ts";
import { parseClub } from "../central/club.ts";
import { ConfigError } from "../errors.ts";
import { type Delay, parseDelay } from "../gossip/delay.ts";
import { parseThreshold, type Threshold } from "../gossip/threshold.ts";
import { parseWeight, type Weight } from "../gossip/weight.ts";
import { type Fields, fields, join, list, oneOf, real, whole } from "../options.ts";

export const ALGORITHMS = ["solo", "pooled", "club", "dcb", "dccb"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** Only these need partners, a delay and a weight. */
export const gossips = (algorithm: Algorithm): boolean => algorithm === "dcb" || algorithm === "dccb";

/** Of the format. A trace that says nothing is of the first. */
export const TRACE_VERSION = 1;

/** A run with everything random fixed beforehand (algorithms.md, section 8), checked. */
export interface Trace {
  readonly algorithm: Algorithm;
  readonly peers: number;
  readonly dimension: number;
  readonly parameters: TraceParameters;
  readonly rounds: readonly TraceRound[];
}

export interface TraceParameters {
  readonly radius: Radius;
  readonly delay: Delay | undefined;
  readonly weight: Weight;
  readonly threshold: Threshold | undefined;
}

export interface TraceRound {
  /** Per peer: its arms and what each would pay. */
  readonly offers: readonly { readonly count: number; readonly values: Float64Array; readonly rewards: Float64Array }[];
  readonly partners: Int32Array;
}

/** Reads a trace from parsed JSON; anything that is not one is refused with the place, the value and the bound. */
export function parseTrace(document: unknown): Trace {
  const given = fields("", document, ["version", "algorithm", "peers", "dimension", "parameters", "rounds"]);
  const { version = 1 } = given;
  if (version !== TRACE_VERSION) throw new ConfigError("version", version, `be ${TRACE_VERSION}, which is read here`);
  const algorithm = oneOf("algorithm", given.algorithm, ALGORITHMS);
  const peers = whole("peers", given.peers, 1, 1_000_000);
  const dimension = whole("dimension", given.dimension, 1, 4096);
  const parameters = parseParameters(algorithm, given.parameters);
  const rounds = list("rounds", given.rounds);
  if (rounds.length === 0) throw new ConfigError("rounds", rounds, "hold at least one round");
  return {
    algorithm,
    peers,
    dimension,
    parameters,
    rounds: rounds.map((round, t) => parseRound(`rounds[${t}]`, round, peers, dimension, algorithm)),
  };
}

/** What an algorithm does not use may be left out, but is checked when it is there. */
function parseParameters(algorithm: Algorithm, value: unknown): TraceParameters {
  const field = "parameters";
  const given = fields(field, value, ["radius", "delay", "weight", "threshold"]);
  const needed = (name: string): unknown => {
    if (given[name] === undefined) throw new ConfigError(join(field, name), undefined, `be given for ${algorithm}`);
    return given[name];
  };
  const optional = <T>(name: string, used: boolean, parse: (field: string, value: unknown) => T): T | undefined =>
    used || given[name] !== undefined ? parse(join(field, name), needed(name)) : undefined;
  if (algorithm === "club") checkClub(field, given);
  return {
    radius: parseRadius(join(field, "radius"), needed("radius")),
    delay: optional("delay", gossips(algorithm), parseTraceDelay),
    weight: parseWeight(join(field, "weight"), given.weight),
    threshold: optional("threshold", algorithm === "dccb" || algorithm === "club", parseThreshold),
  };
}

function checkClub(field: string, given: Fields): void {
  parseClub(field, { threshold: given.threshold });
}

/** In a trace both numbers of the formula are written out. */
function parseTraceDelay(field: string, value: unknown): Delay {
  const delay = parseDelay(field, value, Number.NaN);
  if ("networkExponent" in delay && Number.isNaN(delay.networkExponent)) {
    throw new ConfigError(join(field, "networkExponent"), undefined, "be a finite number of at least 0");
  }
  return delay;
}

function parseRound(field: string, value: unknown, peers: number, dimension: number, algorithm: Algorithm): TraceRound {
  const given = fields(field, value, ["arms", "rewards", "partners"]);
  const arms = list(join(field, "arms"), given.arms, peers);
  const rewards = list(join(field, "rewards"), given.rewards, peers);
  return {
    offers: arms.map((offered, i) => parseOffer(field, i, offered, rewards[i], dimension)),
    partners:
      given.partners === undefined && !gossips(algorithm)
        ? Int32Array.from({ length: peers }, (_, i) => i)
        : parsePartners(join(field, "partners"), given.partners, peers),
  };
}

function parseOffer(field: string, peer: number, offered: unknown, paid: unknown, dimension: number) {
  const armsField = `${field}.arms[${peer}]`;
  const rewardsField = `${field}.rewards[${peer}]`;
  const vectors = list(armsField, offered);
  if (vectors.length === 0) throw new ConfigError(armsField, vectors, "hold at least one arm");
  const values = new Float64Array(vectors.length * dimension);
  vectors.forEach((vector, arm) => {
    const numbers = list(`${armsField}[${arm}]`, vector, dimension);
    numbers.forEach((number, i) => {
      values[arm * dimension + i] = real(`${armsField}[${arm}][${i}]`, number);
    });
  });
  checkArms({ count: vectors.length, values }, dimension, armsField);
  const rewards = Float64Array.from(list(rewardsField, paid, vectors.length), (reward, arm) =>
    checkReward(`${rewardsField}[${arm}]`, reward),
  );
  return { count: vectors.length, values, rewards };
}

function parsePartners(field: string, value: unknown, peers: number): Int32Array {
  const partners = Int32Array.from(list(field, value, peers), (partner, i) =>
    whole(`${field}[${i}]`, partner, 0, peers - 1),
  );
  const seen = new Set<number>();
  partners.forEach((partner, i) => {
    if (seen.has(partner))
      throw new ConfigError(`${field}[${i}]`, partner, "be named once: partners are a permutation");
    seen.add(partner);
  });
  return partners;
}
