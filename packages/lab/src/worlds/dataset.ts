import { ConfigError, check, Random } from "@coterie/core";
import type { DatasetCatalogue } from "../data/catalogue.ts";
import { loaderNamed } from "../data/datasets.ts";
import { Offers } from "./offers.ts";
import type { World } from "./world.ts";

/** Real users as peers, offered items of their own among items of anybody's. */
export interface DatasetConfig {
  readonly kind: "dataset";
  readonly dataset: string;
  /** Where the official files are; without it, where they were imported or fetched to. */
  readonly directory?: string;
  readonly peers: number;
  readonly dimension: number;
  readonly arms: number;
  /**
   * drawn (unless set): every round every user is offered one of its items, drawn uniformly. time: each of a user's
   * items is offered once, in the order in which the user had them.
   */
  readonly order?: "drawn" | "time";
}

export function parseDataset(field: string, value: check.Fields): DatasetConfig {
  const given = check.fields(field, value, ["kind", "dataset", "directory", "peers", "dimension", "arms", "order"]);
  const at = (name: string): string => check.join(field, name);
  const dataset = check.text(at("dataset"), given.dataset);
  try {
    loaderNamed(dataset);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(at("dataset"), dataset, error.bound);
    throw error;
  }
  return {
    kind: "dataset",
    dataset,
    ...(given.directory !== undefined && { directory: check.text(at("directory"), given.directory) }),
    peers: check.whole(at("peers"), given.peers, 1, 10_000_000),
    dimension: check.whole(at("dimension"), given.dimension, 1, 4096),
    arms: check.whole(at("arms"), given.arms, 1, 100_000),
    ...(given.order !== undefined && { order: check.oneOf(at("order"), given.order, ["drawn", "time"]) }),
  };
}

/** Every round one item of a user's own, drawn uniformly, among items of anybody's. */
export class DatasetWorld extends Offers implements World {
  readonly #catalogue: DatasetCatalogue;
  readonly #random: Random;
  readonly #roundDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  #round = 0;

  constructor(config: DatasetConfig, catalogue: DatasetCatalogue, seed: number) {
    super(catalogue, config.arms);
    this.#catalogue = catalogue;
    this.#random = Random.seeded(seed).fork("dataset world");
  }

  advance(): void {
    this.#round += 1;
    const round = this.#random.forkInto(this.#roundDraw, this.#round);
    this.#catalogue.peers.forEach(({ items }, peer) => {
      const draw = round.forkInto(this.#draw, peer);
      this.offer(peer, items[draw.below(items.length)]!, draw);
    });
  }

  present(): boolean {
    return true;
  }
}
