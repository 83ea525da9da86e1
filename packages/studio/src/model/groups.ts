import type { NetworkModel } from "./network.ts";

/** Who belongs together: each peer's group, by its smallest member; -1 for those alone or gone. */
export interface Groups {
  readonly of: Int32Array;
  /** Groups of two or more, the smallest member first, in rising order of it. */
  readonly list: readonly (readonly number[])[];
}

/** Peers that pool with each other, both ways, are one group, and so are those joined through others. */
export function groupsOf(model: NetworkModel): Groups {
  const count = model.peers.length;
  const parent = Int32Array.from({ length: count }, (_, peer) => peer);
  const root = (peer: number): number => {
    let at = peer;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  for (let peer = 0; peer < count; peer++) {
    if (!model.isPresent(peer)) continue;
    for (const partner of model.pool(peer)) {
      if (partner <= peer || !model.isPresent(partner) || !holds(model.pool(partner), peer)) continue;
      const [a, b] = [root(peer), root(partner)];
      // The smaller number is the name, so that a group keeps it while others come and go.
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const members = new Map<number, number[]>();
  for (let peer = 0; peer < count; peer++) {
    if (!model.isPresent(peer)) continue;
    const name = root(peer);
    const those = members.get(name);
    if (those === undefined) members.set(name, [peer]);
    else those.push(peer);
  }
  const of = new Int32Array(count).fill(-1);
  const list = [...members.values()].filter(({ length }) => length > 1).sort((a, b) => a[0] - b[0]);
  for (const group of list) for (const peer of group) of[peer] = group[0];
  return { of, list };
}

/** Whether a list in rising order holds a number. */
export function holds(sorted: Int32Array, value: number): boolean {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === value) return true;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** How a peer's pool compares with its true cluster: those of it that pool with it too, those it lacks, and those that do not belong. */
export interface Misplaced {
  readonly mutual: number;
  readonly missing: number;
  readonly strange: number;
}

/** Whose kind each peer really is; made once for a moment, asked for every peer. */
export class Truth {
  readonly #model: NetworkModel;
  /** Peers of each cluster that are there and tell the truth. */
  readonly #kin = new Map<number, number>();

  constructor(model: NetworkModel) {
    this.#model = model;
    for (let peer = 0; peer < model.peers.length; peer++) {
      const cluster = this.#clusterOf(peer);
      if (cluster !== null) this.#kin.set(cluster, (this.#kin.get(cluster) ?? 0) + 1);
    }
  }

  /** How many kinds are there. */
  get kinds(): number {
    return this.#kin.size;
  }

  /** Null where nobody knows. A liar is of nobody's kind. */
  misplaced(peer: number): Misplaced | null {
    const cluster = this.#model.peers[peer]?.cluster ?? null;
    if (cluster === null) return null;
    let [mutual, found, strange] = [0, 0, 0];
    for (const other of this.#model.pool(peer)) {
      if (!this.#model.isPresent(other) || this.#model.peers[other].cluster === null) continue;
      if (this.#clusterOf(other) !== cluster) strange += 1;
      else {
        found += 1;
        if (holds(this.#model.pool(other), peer)) mutual += 1;
      }
    }
    const self = this.#clusterOf(peer) === null ? 0 : 1;
    return { mutual, missing: (this.#kin.get(cluster) ?? 0) - self - found, strange };
  }

  #clusterOf(peer: number): number | null {
    const honest = this.#model.isPresent(peer) && this.#model.value(peer, "lies") === 0;
    return honest ? this.#model.peers[peer].cluster : null;
  }
}
