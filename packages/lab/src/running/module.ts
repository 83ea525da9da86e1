import { type CentralPolicy, ConfigError, check, type Policy, policyKinds } from "@coterie/core";

/** A policy from its options: what a policy module exports as its default. */
export type PolicyMaker = (options: object) => unknown;

/** The policy modules of an experiment, loaded. */
export interface PolicyModules {
  /** What their paths are relative to: the folder of the experiment file. */
  readonly directory: string;
  /** By path, as it stands in the file. */
  readonly makers: ReadonlyMap<string, PolicyMaker>;
  /** SHA-256 of each file, by path: results of two states of a policy must not be mixed. */
  readonly digests: Readonly<Record<string, string>>;
}

const PAIRINGS = ["permutation", "matching", "neighbours", "asynchronous", "calls", "ring", "none"] as const;

/**
 * The policy of an entry `{ module, …options }`. What the module makes was written by somebody else, so it is checked as
 * an option would be: an error names the entry and the field.
 */
export function policyOfModule(
  field: string,
  path: unknown,
  options: object,
  modules: PolicyModules | null,
): Policy | CentralPolicy {
  const place = `${field}.module`;
  const known = check.text(place, path);
  const make = modules?.makers.get(known);
  if (make === undefined) throw new ConfigError(place, path, "be loaded first: loadExperiment does so");
  return checked(place, made(field, make, options));
}

function made(field: string, make: PolicyMaker, options: object): unknown {
  try {
    return make(options);
  } catch (error) {
    if (isConfigError(error)) throw new ConfigError(`${field}.${error.field}`, error.value, error.bound);
    throw new ConfigError(`${field}.module`, String(error), "make a policy of these options");
  }
}

/** By its name: a module may come with a copy of core of its own. */
const isConfigError = (error: unknown): error is ConfigError =>
  error instanceof Error && error.name === "ConfigError" && "field" in error;

function checked(place: string, value: unknown): Policy | CentralPolicy {
  if (typeof value !== "object" || value === null) throw new ConfigError(place, value, "make a policy: an object");
  const policy = value as Partial<Policy & CentralPolicy>;
  const at = (name: string): string => `${place}: ${name}`;
  const kind = check.text(at("kind"), policy.kind);
  // The engine and the measures know the built-in policies by their kinds.
  if ((policyKinds as readonly string[]).includes(kind))
    throw new ConfigError(at("kind"), kind, "differ from the kinds of the built-in policies");
  if (typeof policy.options !== "object") throw new ConfigError(at("options"), policy.options, "be an object");
  if (typeof policy.createCentre === "function") return value as CentralPolicy;
  if (typeof policy.create !== "function") throw new ConfigError(at("create"), policy.create, "be a function");
  const { pairing } = policy;
  check.oneOf(at("pairing"), pairing, PAIRINGS);
  check.oneOf(at("delivery"), policy.delivery, ["none", "once", "newest"]);
  check.oneOf(at("propensity"), policy.propensity, ["certain", "uniform", "unknown"]);
  check.whole(at("slots"), policy.slots, 0);
  check.flag(at("ownClock"), policy.ownClock);
  if (pairing !== "none" && typeof policy.codec?.decode !== "function")
    throw new ConfigError(at("codec"), policy.codec, "be an OfferCodec, because its peers meet");
  return value as Policy;
}
