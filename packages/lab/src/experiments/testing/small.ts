import type { BuiltIn } from "../builtIn.ts";

/** A built-in experiment so small that a test can run it: the same worlds and policies by name. */

type Fields = Record<string, unknown>;

/** Where there are more worlds a few rounds and peers of each must do. */
const MANY = 20;
const FEW = 8;

export interface Smaller {
  readonly seeds?: readonly number[];
  /** Where the made-up files of a dataset are, by its name. */
  readonly directories?: Readonly<Record<string, string>>;
}

export function small({ document }: BuiltIn, { seeds = [1, 2], directories = {} }: Smaller = {}): object {
  const { worlds, ...rest } = document as { worlds: Fields[] };
  const many = worlds.length > MANY;
  const rounds = many ? 12 : 32;
  const sizes = [...new Set(worlds.map(({ peers }) => Number(peers)))].sort((a, b) => a - b);
  return {
    ...rest,
    worlds: worlds.map((world) => {
      const { rounds: _own, ...entry } = world;
      if (entry.kind === "dataset") {
        const directory = directories[`${entry.dataset}`];
        // In the order of time there are no more rounds than items, of which made-up files have three.
        const few = entry.order === "time" ? { rounds: 3 } : {};
        return { ...entry, directory, peers: 2, dimension: 2, arms: 3, ...few };
      }
      // Sizes stay apart and in order, where there may be a figure over them.
      const peers = many ? Math.min(Number(entry.peers), FEW) : 6 + 2 * sizes.indexOf(Number(entry.peers));
      const clusters = Math.min(Number(entry.clusters), peers);
      const dimension = Math.min(Number(entry.dimension), 5);
      return { ...entry, peers, clusters, dimension, arms: 4, ...smaller(entry, peers, clusters, dimension, rounds) };
    }),
    rounds,
    seeds,
  };
}

/** What must fit the number of peers, features or rounds. */
function smaller(entry: Fields, peers: number, clusters: number, dimension: number, rounds: number): Fields {
  const fields: Fields = {};
  const middle = rounds / 2;
  if (entry.sizes !== undefined)
    fields.sizes = Array.from({ length: clusters }, (_, k) => (k > 0 ? 1 : peers - clusters + 1));
  if (entry.jump !== undefined) fields.jump = { ...(entry.jump as Fields), after: middle };
  for (const crowd of ["newcomers", "leavers"])
    if (entry[crowd] !== undefined) fields[crowd] = { every: 3, after: middle };
  if (entry.catalogue === undefined) return fields;
  const catalogue = entry.catalogue as Fields;
  const items = catalogue.vectors === "one-hot" ? dimension : 6;
  const show = catalogue.show === undefined ? {} : { show: 3 };
  return { ...fields, catalogue: { ...catalogue, items, ...show }, arms: catalogue.show === undefined ? items : 3 };
}
