import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import { DATASETS } from "./datasets.ts";
import { dataDirectory } from "./directories.ts";
import { registeredDirectory } from "./register.ts";

/** Folder names in a collection of official files (COTERIE_DATA), where they differ from the dataset's name. */
const COLLECTION_FOLDERS: Readonly<Record<string, string>> = {
  lastfm: "lastfm-2k",
  delicious: "delicious-2k",
  movielens: "ml-latest-small",
};

/** Where a dataset is on this machine: imported or fetched, else in the collection that COTERIE_DATA names. */
export async function datasetDirectory(dataset: string, dataHome: string = dataDirectory()): Promise<string> {
  const collected = collectedDirectory(dataset);
  try {
    return await registeredDirectory(dataset, dataHome);
  } catch (error) {
    if (collected !== null && error instanceof ConfigError) return collected;
    throw error;
  }
}

function collectedDirectory(dataset: string): string | null {
  const home = process.env.COTERIE_DATA;
  if (!home) return null;
  const folder = join(home, COLLECTION_FOLDERS[dataset] ?? dataset);
  return existsSync(folder) ? folder : null;
}

/** What is known, and where each dataset is; null where it is not on this machine. */
export async function listDatasets(): Promise<
  readonly {
    readonly name: string;
    readonly title: string;
    readonly terms: string;
    readonly directory: string | null;
  }[]
> {
  return Promise.all(
    DATASETS.map(async ({ name, title, terms }) => {
      const directory = await datasetDirectory(name).catch(() => null);
      return { name, title, terms, directory };
    }),
  );
}
