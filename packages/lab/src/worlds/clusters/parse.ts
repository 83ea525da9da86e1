import { ConfigError, check } from "@coterie/core";
import { checkTogether } from "./combinations.ts";
import { type ClustersConfig, realFeatures } from "./config.ts";
import * as parse from "./fields.ts";

const MOST_PEERS = 10_000_000;
const MOST_ARMS = 100_000;
const FIELDS = ["kind", "peers", "clusters", "dimension", "arms", "noise", "noises", "rewards", "sizes"] as const;
const TASTES = ["gap", "rank", "relevant", "tastes", "spread", "drift", "jump"] as const;
const ARMS = ["distribution", "catalogue", "correlated", "constant"] as const;
const TIME = ["turns", "late", "activity", "churn", "newcomers", "leavers", "visits"] as const;

/** A clusters world from plain data; an error names the field, its value and its bound. */
export function parseClusters(field: string, value: check.Fields): ClustersConfig {
  const given = check.fields(field, value, [...FIELDS, ...TASTES, ...ARMS, ...TIME]);
  checkTogether(field, given);
  const at = (name: string): string => check.join(field, name);
  const peers = check.whole(at("peers"), given.peers, 1, MOST_PEERS);
  const clusters = check.whole(at("clusters"), given.clusters, 1, MOST_PEERS);
  if (clusters > peers) throw new ConfigError(at("clusters"), clusters, `be at most ${peers}, the number of peers`);
  const dimension = check.whole(at("dimension"), given.dimension, given.constant === undefined ? 1 : 2, 4096);
  /** What is given, read by `read`; nothing where it is not. */
  const optional = <Name extends string, T>(name: Name, read: (field: string, value: unknown) => T) =>
    (given[name] === undefined ? {} : { [name]: read(at(name), given[name]) }) as { readonly [name in Name]?: T };
  const constant = optional("constant", (place, c) => check.between(place, c, 0, 1));
  const features = constant.constant === undefined ? dimension : dimension - 1;
  const catalogue = optional("catalogue", (place, c) => parse.catalogue(place, c, features));
  const config: ClustersConfig = {
    kind: "clusters",
    peers,
    clusters,
    dimension,
    arms: armCount(at("arms"), given.arms, catalogue.catalogue),
    noise: "noises" in given || parse.isClicks(given.rewards) ? 0 : check.atLeast(at("noise"), given.noise, 0),
    ...optional("noises", parse.noises),
    ...optional("rewards", parse.rewards),
    ...optional("sizes", (place, sizes) => parse.sizes(place, sizes, peers, clusters)),
    ...optional("gap", (place, gap) => parse.gap(place, gap, clusters, features)),
    ...optional("rank", (place, rank) => check.whole(place, rank, 1, features)),
    ...optional("relevant", (place, relevant) => check.whole(place, relevant, 1, features)),
    ...optional("tastes", parse.best),
    ...optional("spread", (place, spread) => check.atLeast(place, spread, 0)),
    ...optional("drift", (place, drift) => check.atLeast(place, drift, 0)),
    ...optional("jump", (place, jump) => parse.jump(place, jump, clusters)),
    ...optional("distribution", (place, distribution) => parse.distribution(place, distribution, dimension)),
    ...catalogue,
    ...optional("correlated", (place, share) => check.between(place, share, 0, 1)),
    ...constant,
    ...optional("turns", (place, turns) => check.whole(place, turns, 1, 1_000_000)),
    ...optional("late", (place, late) => check.whole(place, late, 1, 1_000_000)),
    ...optional("activity", parse.activity),
    ...optional("churn", parse.churn),
    ...optional("newcomers", (place, crowd) => parse.crowd(place, crowd, peers)),
    ...optional("leavers", (place, crowd) => parse.crowd(place, crowd, peers)),
    ...optional("visits", parse.visits),
  };
  checkBest(at("tastes"), config);
  if (config.correlated !== undefined && config.catalogue?.vectors === "one-hot") {
    throw new ConfigError(
      at("correlated"),
      config.correlated,
      "not be combined with one-hot items, which have nothing in common",
    );
  }
  return config;
}

/** As many as the catalogue shows, where there is one: then it need not be said again. */
function armCount(field: string, value: unknown, catalogue: ClustersConfig["catalogue"]): number {
  if (catalogue === undefined) return check.whole(field, value, 1, MOST_ARMS);
  const shown = catalogue.show ?? catalogue.items;
  if (value !== undefined && value !== shown) {
    throw new ConfigError(field, value, `be ${shown}, the number of items shown, or be left out`);
  }
  return shown;
}

/** θ entries that are rates of items make sense only where each item has a feature of its own, and there is another one. */
function checkBest(field: string, config: ClustersConfig): void {
  if (config.tastes === undefined) return;
  if (config.catalogue?.vectors !== "one-hot") {
    throw new ConfigError(field, config.tastes, 'be used with a catalogue whose vectors are "one-hot"');
  }
  if (realFeatures(config) < 2) throw new ConfigError(field, config.tastes, "be used with at least 2 items");
}
