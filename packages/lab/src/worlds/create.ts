import { ConfigError } from "@coterie/core";
import { type DatasetCatalogue, loadCatalogue } from "../data/catalogue.ts";
import { datasetDirectory } from "../data/where.ts";
import { SphereDrawing } from "../engine/drawing.ts";
import { DrawnTurns, RememberedDrawing } from "../engine/rememberedDrawing.ts";
import type { ClustersConfig } from "./clusters/config.ts";
import { ClustersWorld, type DrawMany } from "./clusters/world.ts";
import { type DatasetConfig, DatasetWorld } from "./dataset.ts";
import { DatasetInTimeWorld } from "./datasetInTime.ts";
import type { WorldConfig } from "./parse.ts";
import type { World } from "./world.ts";

/** Catalogues by what they were made from: a process that runs many cells reads the files once. */
const catalogues = new Map<string, Promise<DatasetCatalogue>>();

/** What was drawn for the last world of which several policies play the same turns. */
let drawn = new DrawnTurns("");

/**
 * A world for one seed. A dataset's files are read first, once in a process. `rounds`, how many will be played, must be
 * given where a dataset is played in its order of time, which is cut into as many. Where `again`, the next world may be this
 * one for another policy: then what it draws is remembered.
 */
export async function createWorld(config: WorldConfig, seed: number, rounds?: number, again = false): Promise<World> {
  if (config.kind === "clusters") {
    return new ClustersWorld(
      config,
      seed,
      again && rounds !== undefined ? remembering(config, seed, rounds) : SphereDrawing.of,
    );
  }
  const catalogue = await catalogueOf(config);
  if (config.order !== "time") return new DatasetWorld(config, catalogue, seed);
  if (rounds === undefined) throw new ConfigError("rounds", rounds, "be given if order is time");
  return new DatasetInTimeWorld(config, catalogue, seed, rounds);
}

function remembering(config: ClustersConfig, seed: number, rounds: number): DrawMany {
  const name = JSON.stringify([config, seed, rounds]);
  if (drawn.name !== name) drawn = new DrawnTurns(name);
  return (...size) => RememberedDrawing.of(drawn, rounds * (config.turns ?? 1), ...size);
}

/** Reads what a world needs, so that bad files, and too many rounds for them, are found before anything is run. */
export async function prepareWorld(config: WorldConfig, rounds: number): Promise<void> {
  if (config.kind !== "dataset") return;
  if (config.order === "time") await createWorld(config, 0, rounds);
  else await catalogueOf(config);
}

async function catalogueOf(config: DatasetConfig): Promise<DatasetCatalogue> {
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
