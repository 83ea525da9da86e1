import { type Arms, ConfigError, check, Random } from "@coterie/core";
import type { Catalogue } from "../data/catalogue.ts";
import { loaderNamed } from "../data/datasets.ts";
import type { World } from "./world.ts";

/** Real users as peers: each round one item of a user's own among items of anybody's. */
export interface DatasetConfig {
  readonly kind: "dataset";
  readonly dataset: string;
  /** Where the official files are; without it, where they were imported or fetched to. */
  readonly directory?: string;
  readonly peers: number;
  readonly dimension: number;
  readonly arms: number;
}

export function parseDataset(field: string, value: check.Fields): DatasetConfig {
  const given = check.fields(field, value, ["kind", "dataset", "directory", "peers", "dimension", "arms"]);
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
  };
}

export class DatasetWorld implements World {
  readonly peers: number;
  readonly dimension: number;
  readonly clusters = null;
  readonly knowsMeans = false;
  readonly #catalogue: Catalogue;
  readonly #armCount: number;
  readonly #random: Random;
  readonly #roundDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** The items offered in this round, [peer][arm]; their vectors; and whether each is the peer's own. */
  readonly #items: Int32Array;
  readonly #arms: Arms[];
  readonly #own: Uint8Array;
  /** Per peer one bit an item: is it its own? */
  readonly #liked: Uint8Array[];
  #round = 0;

  constructor(config: DatasetConfig, catalogue: Catalogue, seed: number) {
    this.#catalogue = catalogue;
    this.peers = config.peers;
    this.dimension = config.dimension;
    this.#armCount = config.arms;
    this.#random = Random.seeded(seed).fork("dataset world");
    this.#items = new Int32Array(config.arms);
    this.#arms = catalogue.peers.map(() => ({
      count: config.arms,
      values: new Float64Array(config.arms * config.dimension),
    }));
    this.#own = new Uint8Array(config.peers * config.arms);
    this.#liked = catalogue.peers.map(({ items }) => {
      const bits = new Uint8Array((catalogue.itemCount + 7) >> 3);
      for (const item of items) bits[item >> 3]! |= 1 << (item & 7);
      return bits;
    });
  }

  advance(): void {
    this.#round += 1;
    const round = this.#random.forkInto(this.#roundDraw, this.#round);
    for (let peer = 0; peer < this.peers; peer++) this.#offer(peer, round.forkInto(this.#draw, peer));
  }

  present(): boolean {
    return true;
  }

  arms(peer: number): Arms {
    return this.#arms[peer]!;
  }

  /** 1 for any item of the peer's own, else 0. */
  pay(peer: number, arm: number): number {
    return this.#own[peer * this.#armCount + arm]!;
  }

  mean(): number {
    return 0;
  }

  bestMean(): number {
    return 0;
  }

  /** One of the peer's own items and arms − 1 of the catalogue, with replacement, in random order. */
  #offer(peer: number, random: Random): void {
    const { features, itemCount, peers } = this.#catalogue;
    const own = peers[peer]!.items;
    const items = this.#items;
    items[0] = own[random.below(own.length)]!;
    for (let arm = 1; arm < items.length; arm++) items[arm] = random.below(itemCount);
    random.shuffle(items);
    const { values } = this.#arms[peer]!;
    const liked = this.#liked[peer]!;
    const d = this.dimension;
    for (let arm = 0; arm < items.length; arm++) {
      const item = items[arm]!;
      for (let i = 0; i < d; i++) values[arm * d + i] = features[item * d + i]!;
      this.#own[peer * items.length + arm] = (liked[item >> 3]! >> (item & 7)) & 1;
    }
  }
}
