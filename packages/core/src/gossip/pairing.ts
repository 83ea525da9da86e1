import type { Random } from "../numbers/random.ts";
import { oneOf } from "../options.ts";

/** Who meets whom in a round. The peer does not draw it: a driver does, or a real peer picks one that is alive. */
export type Pairing = "permutation" | "matching" | "neighbours" | "asynchronous";

export const parsePairing = (field: string, value: unknown, otherwise: Pairing): Pairing =>
  value === undefined ? otherwise : oneOf(field, value, ["permutation", "matching", "neighbours", "asynchronous"]);

/** Draws partner maps for V peers; owns its scratch space. */
export class Pairer {
  readonly #order: Int32Array;
  readonly #place: Int32Array;

  constructor(readonly peers: number) {
    this.#order = new Int32Array(peers);
    this.#place = new Int32Array(peers);
  }

  /** partners = a uniform permutation; partners[i] = i is alone. */
  permutation(partners: Int32Array, random: Random): void {
    for (let i = 0; i < this.peers; i++) partners[i] = i;
    random.shuffle(partners, this.peers);
  }

  /** partners = a uniform pairing; with an odd number one stays alone. */
  matching(partners: Int32Array, random: Random): void {
    const order = this.#shuffled(random);
    const last = this.peers - (this.peers % 2);
    for (let k = 0; k < last; k += 2) {
      partners[order[k]!] = order[k + 1]!;
      partners[order[k + 1]!] = order[k]!;
    }
    if (last < this.peers) partners[order[last]!] = order[last]!;
  }

  /** In random order each peer still free picks a free member of its neighbourhood, uniformly; both are then taken. */
  neighbours(partners: Int32Array, random: Random, near: (peer: number, other: number) => boolean): void {
    const free = this.#shuffled(random);
    const place = this.#place;
    for (let k = 0; k < this.peers; k++) place[free[k]!] = k;
    let count = this.peers;
    const take = (peer: number): void => {
      count -= 1;
      const moved = free[count]!;
      const hole = place[peer]!;
      free[hole] = moved;
      place[moved] = hole;
    };
    // Taking from the front, a hole is filled from the back: a uniform order stays one.
    while (count > 0) {
      const peer = free[0]!;
      take(peer);
      const other = pickFree(free, count, random, (candidate) => near(peer, candidate));
      partners[peer] = other < 0 ? peer : other;
      if (other < 0) continue;
      partners[other] = peer;
      take(other);
    }
  }

  /** ⌊V/2⌋ times: a uniform peer and a uniform other member of its neighbourhood, `meet` at once. */
  asynchronous(
    random: Random,
    near: (peer: number, other: number) => boolean,
    meet: (peer: number, other: number) => void,
  ): void {
    const all = this.#everybody();
    for (let k = 0; k < Math.floor(this.peers / 2); k++) {
      const peer = random.below(this.peers);
      const other = pickFree(all, this.peers, random, (candidate) => candidate !== peer && near(peer, candidate));
      if (other >= 0) meet(peer, other);
    }
  }

  /**
   * In random order each peer calls the one it wishes for (-1 is nobody), else a uniform other that is `free`, and they
   * `meet` at once: as in a network whose peers each have a clock of their own. Whoever is called answers. When all have
   * called, those that call more than once in this round (`times`) call again, in another order.
   */
  calls(
    random: Random,
    free: (peer: number) => boolean,
    wish: (peer: number, before: number) => number,
    meet: (peer: number, other: number) => void,
    times: (peer: number) => number = () => 1,
  ): void {
    let most = 1;
    for (let before = 0; before < most; before++) {
      const order = this.#shuffled(random);
      for (const peer of order) {
        if (!free(peer) || times(peer) <= before) continue;
        most = Math.max(most, times(peer));
        const wished = wish(peer, before);
        const suits = (candidate: number): boolean => candidate !== peer && free(candidate);
        const other = wished >= 0 && suits(wished) ? wished : pickFree(order, this.peers, random, suits);
        if (other >= 0) meet(peer, other);
      }
    }
  }

  /** A uniform other that is `free`, or -1. */
  other(peer: number, random: Random, free: (peer: number) => boolean): number {
    const all = this.#everybody();
    return pickFree(all, this.peers, random, (candidate) => candidate !== peer && free(candidate));
  }

  #everybody(): Int32Array {
    const order = this.#order;
    for (let i = 0; i < this.peers; i++) order[i] = i;
    return order;
  }

  #shuffled(random: Random): Int32Array {
    return random.shuffle(this.#everybody(), this.peers);
  }
}

/** Guesses before looking at everybody: cheap while neighbourhoods are wide, and uniform in either case. */
const GUESSES = 8;

/** A uniform member of list[0 .. count) that suits, or -1. */
function pickFree(list: Int32Array, count: number, random: Random, suits: (candidate: number) => boolean): number {
  if (count === 0) return -1;
  for (let guess = 0; guess < GUESSES; guess++) {
    const candidate = list[random.below(count)]!;
    if (suits(candidate)) return candidate;
  }
  let suitable = 0;
  let picked = -1;
  // One pass over all: the k-th suitable one replaces the pick with probability 1/k.
  for (let k = 0; k < count; k++) {
    if (!suits(list[k]!)) continue;
    suitable += 1;
    if (random.below(suitable) === 0) picked = list[k]!;
  }
  return picked;
}
