import type { BuiltIn } from "../builtIn.ts";

/** A built-in experiment so small that a test can run it: the same worlds and policies by name. */

type Fields = Record<string, unknown>;

const ROUNDS = 64;

export interface Smaller {
  readonly seeds?: readonly number[];
  /** Where the made-up files of a dataset are, by its name. */
  readonly directories?: Readonly<Record<string, string>>;
}

export function small({ document }: BuiltIn, { seeds = [1, 2], directories = {} }: Smaller = {}): object {
  const { worlds, ...rest } = document as { worlds: Fields[] };
  const sizes = [...new Set(worlds.map(({ peers }) => Number(peers)))].sort((a, b) => a - b);
  return {
    ...rest,
    worlds: worlds.map((world) => {
      const { rounds: _own, ...entry } = world;
      if (entry.kind === "dataset") {
        return { ...entry, directory: directories[`${entry.dataset}`], peers: 2, dimension: 2, arms: 3 };
      }
      // Sizes stay apart and in order.
      const peers = 6 + 2 * sizes.indexOf(Number(entry.peers));
      const clusters = Math.min(Number(entry.clusters), peers);
      return { ...entry, peers, clusters, dimension: Math.min(Number(entry.dimension), 5), arms: 4 };
    }),
    rounds: ROUNDS,
    seeds,
  };
}
