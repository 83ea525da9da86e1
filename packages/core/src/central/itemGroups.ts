import type { Local } from "../bandit/local.ts";
import { KnownItems } from "./catalogue.ts";
import { Graph } from "./graph.ts";
import { Pool } from "./pool.ts";

/** Items on which the peers part in the same way, and how they do. */
export interface ItemGroup {
  items: number[];
  readonly peers: Graph;
  /** Of each peer: its connected part. */
  readonly poolOf: Pool[];
  /** How often an item of the group was chosen. */
  chosen: number;
}

/** A graph over items that loses edges, and for each of its connected parts a graph over peers that loses edges. */
export class ItemGroups {
  readonly catalogue: KnownItems;
  /** The group that was chosen from most often; of several the one that was first. */
  busiest: ItemGroup;
  readonly #items: Graph;
  readonly #groups: ItemGroup[];
  readonly #groupOf: ItemGroup[] = [];

  constructor(
    limit: number,
    readonly dimension: number,
    readonly locals: readonly Local[],
  ) {
    this.catalogue = new KnownItems(limit, dimension);
    this.#items = new Graph(limit);
    this.busiest = this.#group([]);
    this.#groups = [this.busiest];
  }

  /** The item that x = values[from .. from+d) is or counts as. */
  itemOf(values: Float64Array, from: number): number {
    const { catalogue } = this;
    const { item, square } = catalogue.nearest(values, from);
    if (square === 0 || catalogue.count === catalogue.limit) return item;
    const added = catalogue.add(values, from);
    const group = item < 0 ? this.busiest : this.#groupOf[item]!;
    for (const other of group.items) this.#items.link(added, other);
    group.items.push(added);
    this.#groupOf.push(group);
    return added;
  }

  of(item: number): ItemGroup {
    return this.#groupOf[item]!;
  }

  observe(peer: number, item: number, vectors: Float64Array, from: number, reward: number): void {
    for (const group of this.#groups) group.poolOf[peer]!.observe(vectors, from, reward);
    const group = this.of(item);
    group.chosen += 1;
    if (group.chosen > this.busiest.chosen) this.busiest = group;
  }

  /** In the graph of the item's group `peer` loses its edges to all that are not `near`. */
  cutPeers(item: number, peer: number, near: Uint8Array): void {
    const { peers, poolOf } = this.of(item);
    const { members } = poolOf[peer]!;
    let lost = false;
    for (const other of members) {
      if (near[other] === 1 || !peers.has(peer, other)) continue;
      peers.cut(peer, other);
      lost = true;
    }
    if (!lost) return;
    const parts = peers.parts(members);
    if (parts.length === 1) return;
    for (const part of parts) this.#pool(poolOf, part);
  }

  /** The item loses its edges to all items for which `alike` does not hold. */
  cutItems(item: number, alike: (other: number) => boolean): void {
    const group = this.of(item);
    let lost = false;
    for (const other of group.items) {
      if (!this.#items.has(item, other) || alike(other)) continue;
      this.#items.cut(item, other);
      lost = true;
    }
    if (!lost) return;
    const parts = this.#items.parts(group.items);
    // The largest part goes on with what was learnt about its peers; sort is stable, so the oldest of equals comes first.
    const [largest, ...others] = parts.sort((a, b) => b.length - a.length);
    group.items = largest!;
    for (const part of others) {
      const made = this.#group(part);
      this.#groups.push(made);
      for (const other of part) this.#groupOf[other] = made;
    }
  }

  #group(items: number[]): ItemGroup {
    const all = Array.from(this.locals, (_, i) => i);
    const poolOf: Pool[] = [];
    this.#pool(poolOf, all);
    return { items, peers: Graph.complete(all.length), poolOf, chosen: 0 };
  }

  #pool(poolOf: Pool[], members: readonly number[]): void {
    const pool = new Pool(members, this.locals, this.dimension);
    for (const member of members) poolOf[member] = pool;
  }
}
