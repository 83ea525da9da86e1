import { ConfigError, check, policyKinds } from "@coterie/core";
import type { PolicyKind } from "@coterie/core/internal";
import type { ClustersConfig } from "@coterie/lab";

/** A run in the page: a world of clusters, and the policies that meet it. */
export interface Setting {
  readonly peers: number;
  readonly clusters: number;
  readonly dimension: number;
  readonly arms: number;
  readonly noise: number;
  readonly rounds: number;
  readonly seed: number;
  /** Items of a catalogue that stays, of which `arms` are shown; 0: fresh ones in every round. */
  readonly items: number;
  /** After this round half of the peers move to another cluster; 0: never. */
  readonly moves: number;
  /** So many peers turn every reward round before they learn and share it. */
  readonly liars: number;
  readonly policies: readonly PolicyKind[];
}

export const DEFAULTS: Setting = {
  peers: 40,
  clusters: 4,
  dimension: 10,
  arms: 10,
  noise: 0.5,
  rounds: 500,
  seed: 1,
  items: 0,
  moves: 0,
  liars: 0,
  policies: ["solo", "dccb", "kindred", "oracle"],
};

/** Bounds of the fields: what a browser tab can do while somebody waits. */
export const BOUNDS = {
  peers: [1, 400],
  clusters: [1, 400],
  dimension: [1, 50],
  arms: [1, 50],
  noise: [0, 5],
  rounds: [1, 10_000],
  seed: [0, 1_000_000],
  items: [0, 500],
  moves: [0, 10_000],
  liars: [0, 400],
} as const satisfies Record<Exclude<keyof Setting, "policies">, readonly [number, number]>;

export type SettingField = keyof typeof BOUNDS;
export const FIELDS = Object.keys(BOUNDS) as SettingField[];

/** Throws a ConfigError that names the field. */
export function checkSetting(setting: Setting): Setting {
  for (const field of FIELDS) {
    const [least, most] = BOUNDS[field];
    // A field that was left empty is no number.
    if (Number.isNaN(setting[field])) throw new ConfigError(field, null, `be a number from ${least} to ${most}`);
    if (field !== "noise") check.whole(field, setting[field], least, most);
    else if (!(setting.noise >= least && setting.noise <= most)) {
      throw new ConfigError(field, setting.noise, `be a number from ${least} to ${most}`);
    }
  }
  const { peers, clusters, arms, items, moves, liars } = setting;
  if (clusters > peers) throw new ConfigError("clusters", clusters, "be no more than peers");
  if (items > 0 && items < arms) throw new ConfigError("items", items, "be 0, or at least as many as arms");
  if (moves > 0 && clusters < 2) throw new ConfigError("moves", moves, "be 0 where there is one cluster");
  if (liars >= peers && liars > 0) throw new ConfigError("liars", liars, "be fewer than peers");
  if (setting.policies.length === 0) throw new ConfigError("policies", "none", "be at least one");
  for (const kind of setting.policies) check.oneOf("policies", kind, policyKinds);
  return setting;
}

/** The lab's own world. */
export function worldOf({ peers, clusters, dimension, arms, noise, items, moves }: Setting): ClustersConfig {
  return {
    kind: "clusters",
    peers,
    clusters,
    dimension,
    arms,
    noise,
    ...(items > 0 && { catalogue: { items, vectors: "sphere", ...(arms < items && { show: arms }) } }),
    ...(moves > 0 && { jump: { after: moves, share: 0.5 } }),
  };
}

/** The same as a file for `coterie run`. */
export function experimentOf(setting: Setting): object {
  const { policies, rounds, seed } = setting;
  const world = { name: "from the page", ...worldOf(setting) };
  return {
    name: "from-the-page",
    worlds: [world],
    policies: policies.map((kind) => ({ kind })),
    rounds,
    seeds: [seed],
  };
}

/** A setting as the end of an address, without the `#`. */
export function toHash({ policies, ...fields }: Setting): string {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, `${value}`]);
  return new URLSearchParams([...pairs, ["policies", policies.join(",")]]).toString();
}

/** Reads what `toHash` wrote; what is left out takes its default, what is wrong is said. */
export function fromHash(hash: string): Setting {
  const given = new URLSearchParams(hash);
  const number = (field: SettingField): number => (given.has(field) ? Number(given.get(field)) : DEFAULTS[field]);
  const policies = given.get("policies")?.split(",").filter(Boolean) ?? DEFAULTS.policies;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, number(field)])) as Record<SettingField, number>;
  return checkSetting({ ...fields, policies: policies as readonly PolicyKind[] });
}
