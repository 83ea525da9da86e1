import { type Catalogue, loadCatalogue } from "../data/catalogue.ts";
import { datasetDirectory } from "../data/where.ts";
import { SphereDrawing } from "../engine/drawing.ts";
import { ClustersWorld } from "./clusters/world.ts";
import { type DatasetConfig, DatasetWorld } from "./dataset.ts";
import type { WorldConfig } from "./parse.ts";
import type { World } from "./world.ts";

/** Catalogues by what they were made from: a process that runs many cells reads the files once. */
const catalogues = new Map<string, Promise<Catalogue>>();

/** A world for one seed. A dataset's files are read first, once in a process. */
export async function createWorld(config: WorldConfig, seed: number): Promise<World> {
  if (config.kind === "clusters") return new ClustersWorld(config, seed, SphereDrawing.of);
  return new DatasetWorld(config, await catalogueOf(config), seed);
}

/** Reads what a world needs, so that bad files are found before anything is run. */
export async function prepareWorld(config: WorldConfig): Promise<void> {
  if (config.kind === "dataset") await catalogueOf(config);
}

async function catalogueOf(config: DatasetConfig): Promise<Catalogue> {
  const { dataset, peers, dimension } = config;
  const directory = config.directory ?? (await datasetDirectory(dataset));
  const key = JSON.stringify([dataset, directory, peers, dimension]);
  let catalogue = catalogues.get(key);
  if (catalogue === undefined) {
    catalogue = loadCatalogue({ dataset, directory, peers, dimension });
    catalogues.set(key, catalogue);
  }
  return catalogue;
}
