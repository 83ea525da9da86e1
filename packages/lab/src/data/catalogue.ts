import { ConfigError } from "@coterie/core";
import { readCache, writeCache } from "./cache.ts";
import { loaderNamed } from "./datasets.ts";
import { cacheDirectory, dataDirectory } from "./directories.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Note } from "./interactions.ts";
import { type Prepared, prepare } from "./prepared.ts";
import { registeredDirectory } from "./register.ts";

/** What a world needs of a dataset: items with features, and the peers with the items that they like. */
export interface DatasetCatalogue {
  readonly dataset: string;
  readonly dimension: number;
  readonly itemCount: number;
  /** itemCount × dimension, by rows of unit length (zero where an item has no part in the leading directions). */
  readonly features: Float64Array;
  /** The id that the dataset gives to each item, ascending. */
  readonly itemIds: Int32Array;
  /** Those with the most items first; of equals the smaller id. */
  readonly peers: readonly CataloguePeer[];
  /** How many rows of `features` are zero. */
  readonly zeroRows: number;
  /** What was odd about the files. */
  readonly notes: readonly Note[];
}

export interface CataloguePeer {
  /** The id that the dataset gives to this user. */
  readonly userId: number;
  /** Places in the catalogue, ascending. */
  readonly items: Int32Array;
  /** When the user had each of these first, in seconds since 1970; absent where the files do not say. */
  readonly times?: Int32Array;
}

export interface CatalogueOptions {
  /** A name of `DATASETS`, or `movielens` for whichever of that family the directory holds. */
  readonly dataset: string;
  /** Where the official files are; left out, where they were imported or fetched to. */
  readonly directory?: string | undefined;
  readonly peers: number;
  readonly dimension: number;
  /** Where prepared datasets are kept; false for nowhere. */
  readonly cache?: string | false;
  /** Where the register of datasets is. */
  readonly dataHome?: string;
}

/** Reads a dataset, or what the cache holds of it, and picks the peers. Refuses bad files before anything is written. */
export async function loadCatalogue(options: CatalogueOptions): Promise<DatasetCatalogue> {
  const { dataset, dimension, peers } = options;
  loaderNamed(dataset);
  requireCount("peers", peers);
  requireCount("dimension", dimension);
  const directory = options.directory ?? (await registeredDirectory(dataset, options.dataHome ?? dataDirectory()));
  const prepared = await readPrepared(dataset, directory, dimension, options.cache ?? cacheDirectory());
  return {
    dataset,
    dimension,
    itemCount: prepared.itemIds.length,
    features: prepared.features,
    itemIds: prepared.itemIds,
    peers: pickPeers(prepared, peers, dataset),
    zeroRows: prepared.zeroRows,
    notes: prepared.notes,
  };
}

async function readPrepared(
  dataset: string,
  directory: string,
  dimension: number,
  cache: string | false,
): Promise<Prepared> {
  const loader = loaderNamed(dataset);
  if (cache === false) return prepare(await loader.load(directory), dimension);
  const key = { dataset, dimension, fingerprint: await fingerprintOf(loader, directory) };
  const cached = await readCache(cache, key);
  if (cached) return cached;
  const prepared = prepare(await loader.load(directory), dimension);
  // That it cannot be kept (a full disk, a directory that is read-only) costs time later, not the result now.
  await writeCache(cache, key, prepared).catch(() => {});
  return prepared;
}

/**
 * The users with the most distinct items, ties to the smaller id. Items without a word are left out of the catalogue
 * and no peer can ever be offered one, so they are not counted here either: a user's items are those in the catalogue.
 * In the HetRec datasets every tagged item has a word and it makes no difference; MovieLens has a few movies without.
 */
function pickPeers({ userIds, starts, items, times }: Prepared, count: number, dataset: string): CataloguePeer[] {
  if (count > userIds.length) {
    throw new ConfigError(
      "peers",
      count,
      `be at most ${userIds.length}, the users of ${dataset} with an item in the catalogue`,
    );
  }
  const size = (user: number) => starts[user + 1]! - starts[user]!;
  const ranked = Array.from(userIds, (_, user) => user).sort((a, b) => size(b) - size(a) || a - b);
  return ranked.slice(0, count).map((user) => ({
    userId: userIds[user]!,
    items: items.slice(starts[user]!, starts[user + 1]!),
    ...(times && { times: times.slice(starts[user]!, starts[user + 1]!) }),
  }));
}

function requireCount(field: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw new ConfigError(field, value, "be a whole number of at least 1");
}
