import { ConfigError, check } from "@coterie/core";
import type { Activity, ArmDistribution, BestItem, CatalogueConfig, EveryNth, Jump, WorldRewards } from "./config.ts";

/** Fields of a clusters world, one by one. */

export function sizes(field: string, value: unknown, peers: number, clusters: number): number[] {
  const list = check.list(field, value, clusters).map((size, k) => check.whole(`${field}[${k}]`, size, 1, peers));
  const sum = list.reduce((total, size) => total + size, 0);
  if (sum !== peers) throw new ConfigError(`sum of ${field}`, sum, `be ${peers}, the number of peers`);
  return list;
}

/** All pairs can lie at one distance only if there is an axis for each cluster and one in common. */
export function gap(field: string, value: unknown, clusters: number, dimension: number): number {
  const distance = check.atLeast(field, value, 0);
  if (distance > Math.SQRT2) throw new ConfigError(field, distance, "be at most √2");
  if (clusters + 1 > dimension)
    throw new ConfigError(
      field,
      distance,
      `not be combined with ${clusters} clusters in ${dimension} dimensions (clusters must be below the dimension)`,
    );
  return distance;
}

export function distribution(field: string, value: unknown, dimension: number): ArmDistribution {
  const given = check.fields(field, value, ["kind", "least"]);
  const kind = check.oneOf(check.join(field, "kind"), given.kind, ["sphere", "signs"]);
  if (kind === "sphere") {
    check.fields(field, value, ["kind"]);
    return { kind };
  }
  const least = check.atLeast(check.join(field, "least"), given.least, 0);
  if (least > 1 / dimension) throw new ConfigError(check.join(field, "least"), least, `be at most 1/${dimension}`);
  return { kind, least };
}

export function churn(field: string, value: unknown): { leave: number; return: number } {
  const given = check.fields(field, value, ["leave", "return"]);
  return { leave: chance(`${field}.leave`, given.leave), return: chance(`${field}.return`, given.return) };
}

export const noises = (field: string, value: unknown): number[] => {
  const list = check.list(field, value);
  if (list.length === 0) throw new ConfigError(field, list, "hold at least one standard deviation");
  return list.map((noise, k) => check.atLeast(`${field}[${k}]`, noise, 0));
};

export const isClicks = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "clicks";

export function rewards(field: string, value: unknown): WorldRewards {
  if (!isClicks(value)) {
    const { kind } = check.fields(field, value, ["kind"]);
    return { kind: check.oneOf(`${field}.kind`, kind, ["gaussian", "clicks"]) as "gaussian" };
  }
  const link = check.oneOf(`${field}.link`, (value as check.Fields).link, ["linear", "logistic"]);
  const start = link === "linear" ? "base" : "offset";
  const given = check.fields(field, value, ["kind", "link", start, "slope"]);
  const slope = check.real(`${field}.slope`, given.slope);
  const from = check.real(`${field}.${start}`, given[start]);
  return link === "linear"
    ? { kind: "clicks", link, base: from, slope }
    : { kind: "clicks", link, offset: from, slope };
}

export function catalogue(field: string, value: unknown, features: number): CatalogueConfig {
  const given = check.fields(field, value, ["items", "vectors", "show"]);
  const items = check.whole(`${field}.items`, given.items, 1, 100_000);
  const vectors = given.vectors === undefined ? "sphere" : check.oneOf(`${field}.vectors`, given.vectors, VECTORS);
  if (vectors === "one-hot" && items !== features) {
    throw new ConfigError(`${field}.items`, items, `be ${features}, a feature for each one-hot item`);
  }
  if (given.show === undefined) return { items, vectors };
  return { items, vectors, show: check.whole(`${field}.show`, given.show, 1, items) };
}

const VECTORS = ["sphere", "one-hot"] as const;

export function best(field: string, value: unknown): BestItem {
  const given = check.fields(field, value, ["kind", "high", "low"]);
  const kind = check.oneOf(`${field}.kind`, given.kind, ["best"]);
  const low = check.real(`${field}.low`, given.low);
  const high = check.real(`${field}.high`, given.high);
  if (high <= low) throw new ConfigError(`${field}.high`, high, `be above ${low}, which the other items have`);
  return { kind, high, low };
}

export function jump(field: string, value: unknown, clusters: number): Jump {
  const given = check.fields(field, value, ["after", "share", "flip"]);
  const after = check.whole(`${field}.after`, given.after, 1);
  if (given.flip === undefined) {
    if (clusters < 2) throw new ConfigError(field, value, "be used with at least 2 clusters, to move between");
    return { after, share: chance(`${field}.share`, given.share) };
  }
  if (given.share !== undefined) throw new ConfigError(`${field}.share`, given.share, "not be combined with flip");
  if (given.flip !== true) throw new ConfigError(`${field}.flip`, given.flip, "be true, or be left out");
  return { after, flip: true };
}

export function activity(field: string, value: unknown): Activity {
  const given = check.fields(field, value, ["kind", "least", "idle"]);
  const kind = check.oneOf(`${field}.kind`, given.kind, ["power"]);
  const least = chance(`${field}.least`, given.least);
  if (given.idle === undefined) return { kind, least };
  return { kind, least, idle: check.oneOf(`${field}.idle`, given.idle, ["online", "away"]) };
}

export function crowd(field: string, value: unknown, peers: number): EveryNth {
  const given = check.fields(field, value, ["every", "after"]);
  return {
    every: check.whole(`${field}.every`, given.every, 1, peers),
    after: check.whole(`${field}.after`, given.after, 1),
  };
}

export function visits(field: string, value: unknown): { rounds: number } {
  const given = check.fields(field, value, ["rounds"]);
  return { rounds: check.atLeast(`${field}.rounds`, given.rounds, 1) };
}

function chance(field: string, value: unknown): number {
  const number = check.atLeast(field, value, 0);
  if (number > 1) throw new ConfigError(field, number, "be at most 1");
  return number;
}
