import { type CentralPolicy, ConfigError, check, type Policy, parsePolicy } from "@coterie/core";
import { parseWorld, type WorldConfig } from "../worlds/parse.ts";
import { comeAndGo, hasVisitors } from "../worlds/steady.ts";
import { type PolicyModules, policyOfModule } from "./module.ts";

/** Worlds × policies × seeds (cli.md), checked; names are unique among worlds and among policies. */
export interface Experiment {
  readonly name: string;
  readonly worlds: readonly NamedWorld[];
  readonly policies: readonly NamedPolicy[];
  readonly seeds: readonly number[];
  /** At how many rounds, evenly spaced, a run is looked at. */
  readonly checkpoints: number;
  /** As it stood in the file: what a manifest keeps, and what workers are given. */
  readonly source: unknown;
  /** Where policies come from modules (`loadExperiment`); else null. */
  readonly modules: PolicyModules | null;
}

export interface NamedWorld {
  readonly name: string;
  readonly config: WorldConfig;
  /** The experiment's rounds, or the world's own. */
  readonly rounds: number;
  /** Names of the policies that run here; null for all. */
  readonly policies: readonly string[] | null;
}

export interface NamedPolicy {
  readonly name: string;
  readonly policy: Policy | CentralPolicy;
  /** The path of the module it comes from; absent where it is built in. */
  readonly module?: string;
}

const DEFAULT_CHECKPOINTS = 100;

/** An experiment from plain data; an error names the field, its value and its bound. `loadExperiment` brings the modules. */
export function parseExperiment(document: unknown, modules: PolicyModules | null = null): Experiment {
  const given = check.fields("", document, ["name", "worlds", "policies", "rounds", "seeds", "checkpoints"]);
  const rounds = check.whole("rounds", given.rounds, 1, 1_000_000_000);
  const worlds = entries("worlds", given.worlds).map(({ field, value }) => parseNamedWorld(field, value, rounds));
  const policies = entries("policies", given.policies).map(({ field, value }) =>
    parseNamedPolicy(field, value, modules),
  );
  unique("worlds", worlds);
  unique("policies", policies);
  checkNames(worlds, policies);
  checkTogether(worlds, policies);
  return {
    name: check.text("name", given.name),
    worlds,
    policies,
    seeds: parseSeeds("seeds", given.seeds),
    checkpoints:
      given.checkpoints === undefined ? DEFAULT_CHECKPOINTS : check.whole("checkpoints", given.checkpoints, 1, 100_000),
    source: document,
    modules,
  };
}

/** Does the policy run in this world? All do, unless the world names those that shall. */
export const plays = (world: NamedWorld, policy: NamedPolicy): boolean =>
  world.policies === null || world.policies.includes(policy.name);

/** The same experiment with the seeds 1 to `count`. */
export function withSeeds(experiment: Experiment, count: number): Experiment {
  const seeds = Array.from({ length: check.whole("--seeds", count, 1, 1_000_000) }, (_, k) => k + 1);
  return { ...experiment, seeds, source: { ...(experiment.source as object), seeds } };
}

function entries(field: string, value: unknown): { field: string; value: check.Fields }[] {
  const given = check.list(field, value);
  if (given.length === 0) throw new ConfigError(field, given, "hold at least one entry");
  return given.map((entry, k) => {
    const place = `${field}[${k}]`;
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
      throw new ConfigError(place, entry, "be an object");
    }
    return { field: place, value: entry as check.Fields };
  });
}

function parseNamedWorld(field: string, entry: check.Fields, rounds: number): NamedWorld {
  const { name, rounds: own, policies, ...value } = entry;
  const config = parseWorld(field, value);
  return {
    name:
      name === undefined
        ? config.kind === "dataset"
          ? config.dataset
          : config.kind
        : check.text(`${field}.name`, name),
    config,
    rounds: own === undefined ? rounds : check.whole(`${field}.rounds`, own, 1, 1_000_000_000),
    policies: policies === undefined ? null : parseNames(`${field}.policies`, policies),
  };
}

function parseNamedPolicy(field: string, entry: check.Fields, modules: PolicyModules | null): NamedPolicy {
  const { name, ...value } = entry;
  const named = (policy: Policy | CentralPolicy): NamedPolicy => ({
    name: name === undefined ? policy.kind : check.text(`${field}.name`, name),
    policy,
  });
  if (!("module" in value)) return named(parsePolicy(field, value));
  const { module: path, kind, ...options } = value;
  if (kind !== undefined)
    throw new ConfigError(`${field}.kind`, kind, "not be combined with module, which determines it");
  return { ...named(policyOfModule(field, path, options, modules)), module: path as string };
}

function unique(field: string, named: readonly { readonly name: string }[]): void {
  const seen = new Map<string, number>();
  named.forEach(({ name }, k) => {
    const first = seen.get(name);
    if (first !== undefined) {
      throw new ConfigError(
        `${field}[${k}].name`,
        name,
        `differ from ${field}[${first}]'s (give it a name of its own)`,
      );
    }
    seen.set(name, k);
  });
}

function parseNames(field: string, value: unknown): string[] {
  const names = check.list(field, value).map((name, k) => check.text(`${field}[${k}]`, name));
  if (names.length === 0) throw new ConfigError(field, names, "name at least one policy");
  return names;
}

/** A world's policies must be there. */
function checkNames(worlds: readonly NamedWorld[], policies: readonly NamedPolicy[]): void {
  const known = policies.map(({ name }) => name);
  worlds.forEach((world, w) => {
    world.policies?.forEach((name, k) => {
      if (known.includes(name)) return;
      throw new ConfigError(`worlds[${w}].policies[${k}]`, name, `be the name of a policy (${known.join(", ")})`);
    });
  });
}

/** Centres that keep an account of every peer, and of no more peers than there are places. */
const BY_PEER: ReadonlySet<string> = new Set(["club", "sclub", "cofiba"]);

/** The oracle is told the clusters, so there must be some; a ring cannot pass over a peer that is away. */
function checkTogether(worlds: readonly NamedWorld[], policies: readonly NamedPolicy[]): void {
  policies.forEach((named, k) => {
    const { kind } = named.policy;
    const refuse = (unfit: (config: WorldConfig) => boolean, bound: string): void => {
      const world = worlds.findIndex((entry) => plays(entry, named) && unfit(entry.config));
      if (world >= 0) throw new ConfigError(`policies[${k}].kind`, kind, `${bound}, unlike worlds[${world}]`);
    };
    if (kind === "oracle") refuse((config) => config.kind !== "clusters", "run where clusters are known");
    if (kind === "round-robin") refuse(comeAndGo, "run where every peer is always there");
    if (BY_PEER.has(kind)) refuse(hasVisitors, "run where no new peer takes another's place");
  });
}

function parseSeeds(field: string, value: unknown): number[] {
  const seeds = check.list(field, value).map((seed, k) => check.whole(`${field}[${k}]`, seed, 0));
  if (seeds.length === 0) throw new ConfigError(field, seeds, "hold at least one seed");
  const twice = seeds.findIndex((seed, k) => seeds.indexOf(seed) < k);
  if (twice >= 0) throw new ConfigError(`${field}[${twice}]`, seeds[twice], "be listed once");
  return seeds;
}
