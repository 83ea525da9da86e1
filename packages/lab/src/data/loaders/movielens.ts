import { ConfigError } from "@coterie/core";
import type { Loader } from "./loader.ts";
import { movielens1m } from "./movielens-1m.ts";
import { movielens100k } from "./movielens-100k.ts";
import { movielensCsv } from "./movielens-csv.ts";
import { present } from "./present.ts";

/** The file of ratings tells the formats apart. */
const FORMATS = { "ratings.csv": movielensCsv, "ratings.dat": movielens1m, "u.data": movielens100k } as const;

/** MovieLens in whichever of its formats the directory holds: a user's items are the movies it rated 4 or more. */
export const movielens: Loader = {
  files: async (directory) => (await detect(directory)).files(directory),
  load: async (directory) => (await detect(directory)).load(directory),
};

async function detect(directory: string): Promise<Loader> {
  const names = Object.keys(FORMATS) as (keyof typeof FORMATS)[];
  const found = await present(directory, names);
  const name = names.find((candidate) => candidate === found[0]);
  if (name === undefined) throw new ConfigError("directory", directory, `hold ${names.join(" or ")}`);
  if (found.length > 1)
    throw new ConfigError("directory", directory, `hold one MovieLens dataset, not ${found.join(" and ")}`);
  return FORMATS[name];
}
