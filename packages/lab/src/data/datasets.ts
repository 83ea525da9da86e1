import { ConfigError } from "@coterie/core";
import { delicious } from "./loaders/delicious.ts";
import { lastfm } from "./loaders/lastfm.ts";
import type { Loader } from "./loaders/loader.ts";
import { movielens } from "./loaders/movielens.ts";
import { movielens1m } from "./loaders/movielens-1m.ts";
import { movielens100k } from "./loaders/movielens-100k.ts";
import { movielensCsv } from "./loaders/movielens-csv.ts";

/** What is known of a dataset: where it comes from, on what terms, and what it should hold. */
export interface Dataset {
  readonly name: string;
  readonly title: string;
  /** Path of the archive below `OFFICIAL_BASE`. */
  readonly archive: string;
  readonly terms: string;
  readonly loader: Loader;
  /** The counts that its authors publish, by the names that its loader counts under. */
  readonly published: Readonly<Record<string, number>>;
  /** The files that are read; of several in one entry, any one will do. */
  readonly needed: readonly (readonly string[])[];
  /** The other official files, which are not read. */
  readonly others: readonly string[];
}

export const OFFICIAL_BASE = "https://files.grouplens.org/datasets/";

const HETREC_TERMS = "non-commercial use";
const MOVIELENS_TERMS = "research use with acknowledgement, no commercial use without permission";
const CSV_FILES = [["movies.csv"], ["ratings.csv"], ["tags.csv"]] as const;

export const DATASETS: readonly Dataset[] = [
  {
    name: "lastfm",
    title: "HetRec 2011 Last.fm: tags for artists",
    archive: "hetrec2011/hetrec2011-lastfm-2k.zip",
    terms: HETREC_TERMS,
    loader: lastfm,
    published: { users: 1892, artists: 17632, "tag assignments": 186479, tags: 11946 },
    needed: [["user_taggedartists.dat"], ["tags.dat"], ["artists.dat"]],
    others: ["user_taggedartists-timestamps.dat", "user_artists.dat", "user_friends.dat"],
  },
  {
    name: "delicious",
    title: "HetRec 2011 Delicious: tags for bookmarked pages",
    archive: "hetrec2011/hetrec2011-delicious-2k.zip",
    terms: HETREC_TERMS,
    loader: delicious,
    published: { users: 1867, URLs: 69226, bookmarks: 104799, "tag assignments": 437593, tags: 53388 },
    needed: [["user_taggedbookmarks-timestamps.dat", "user_taggedbookmarks.dat"], ["tags.dat"]],
    others: ["bookmarks.dat", "bookmark_tags.dat", "user_contacts.dat", "user_contacts-timestamps.dat"],
  },
  {
    name: "ml-latest-small",
    title: "MovieLens latest-small (September 2018): ratings and tags for movies",
    archive: "movielens/ml-latest-small.zip",
    terms: `${MOVIELENS_TERMS}; may be passed on under the same terms`,
    loader: movielensCsv,
    published: { users: 610, movies: 9742, ratings: 100836, "tag applications": 3683 },
    needed: CSV_FILES,
    others: ["links.csv"],
  },
  {
    name: "ml-100k",
    title: "MovieLens 100k (1998): ratings of movies, genres only",
    archive: "movielens/ml-100k.zip",
    terms: `${MOVIELENS_TERMS}; not to be passed on`,
    loader: movielens100k,
    published: { users: 943, movies: 1682, ratings: 100000 },
    needed: [["u.data"], ["u.item"], ["u.genre"]],
    others: ["u.user", "u.info", "u.occupation"],
  },
  {
    name: "ml-1m",
    title: "MovieLens 1M (2003): ratings of movies, genres only",
    archive: "movielens/ml-1m.zip",
    terms: `${MOVIELENS_TERMS}; not to be passed on`,
    loader: movielens1m,
    // Its readme says "approximately 3,900 movies"; the list has 3,883.
    published: { users: 6040, movies: 3883, ratings: 1000209 },
    needed: [["ratings.dat"], ["movies.dat"]],
    others: ["users.dat"],
  },
  {
    name: "ml-25m",
    title: "MovieLens 25M (2019): ratings and tags for movies",
    archive: "movielens/ml-25m.zip",
    terms: `${MOVIELENS_TERMS}; not to be passed on`,
    loader: movielensCsv,
    published: { users: 162541, movies: 62423, ratings: 25000095, "tag applications": 1093360 },
    needed: CSV_FILES,
    others: ["links.csv", "genome-scores.csv", "genome-tags.csv"],
  },
];

/** The family name: whichever MovieLens a directory holds. */
export const MOVIELENS = "movielens";

/** The datasets that a name stands for: one, or for `movielens` the whole family, the smallest first. */
export function datasetsNamed(name: string): readonly Dataset[] {
  const found = DATASETS.filter(
    (dataset) => dataset.name === name || (name === MOVIELENS && dataset.name.startsWith("ml-")),
  );
  if (found.length === 0) {
    const names = [...DATASETS.map((dataset) => dataset.name), MOVIELENS];
    throw new ConfigError("dataset", name, `be one of ${names.join(", ")}`);
  }
  return found;
}

/** What reads a dataset of this name; for `movielens` the format is told from the files. */
export function loaderNamed(name: string): Loader {
  const [dataset] = datasetsNamed(name);
  return name === MOVIELENS ? movielens : dataset!.loader;
}
