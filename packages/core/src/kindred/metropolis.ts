import { exp } from "../numbers/exp.ts";
import { ln } from "../numbers/ln.ts";
import type { Random } from "../numbers/random.ts";
import { roomOf } from "../numbers/room.ts";
import { Evidence } from "./evidence.ts";
import type { GroupEntry } from "./group.ts";
import type { Grouping } from "./grouping.ts";
import { Guesses } from "./guesses.ts";
import { draw } from "./partition.ts";

/**
 * Draws groups of records anew as `Grouping.place` does, at a fraction of the price: a guess proposes where a record belongs, and the
 * evidence accepts it or not (Metropolis and Hastings), so that the draws are those of the posterior whatever the guess. With h its home,
 * g the group proposed and q the chance of a guess,
 *
 *     accepted with the chance   min(1, [weight of g · q(back to h)] / [weight of h · q(g)])
 *
 * where the weights are those of `place`. Most records stay where they are; of those nothing but the guess is computed.
 */
export class Metropolis {
  readonly #evidence: Evidence;
  readonly #guesses: Guesses;
  /** Values, and centres, of those whom a record leaves and of those whom it joins. */
  readonly #values = new Float64Array(2);
  readonly #left: Float64Array;
  readonly #joined: Float64Array;

  constructor(dimension: number) {
    this.#evidence = new Evidence(dimension);
    this.#guesses = new Guesses(dimension);
    this.#left = new Float64Array(dimension);
    this.#joined = new Float64Array(dimension);
  }

  /** One for all peers of a process: nothing is known from one call to the next. */
  static of(dimension: number): Metropolis {
    return roomOf(dimension, make);
  }

  /** Draws the groups of these records, one after another. Their own values are known. */
  draw(grouping: Grouping, entries: readonly GroupEntry[], random: Random): void {
    grouping.centre();
    this.#look(grouping);
    // Sums that are not positive semidefinite (value −∞) belong to nobody.
    for (const entry of entries) if (entry.value > -Infinity) this.#draw(grouping, entry, random);
  }

  #look({ list, alpha, population: { even } }: Grouping): void {
    this.#guesses.look(list, even.noise, even.ridge, alpha);
  }

  #draw(grouping: Grouping, entry: GroupEntry, random: Random): void {
    const guesses = this.#guesses;
    const { list, alpha } = grouping;
    const { even } = grouping.population;
    const home = entry.groups[grouping.index]!;
    const { size } = home;
    guesses.weigh(entry, list, home);
    const drawn = draw(guesses.weights, random, list.length + 1);
    const group = drawn < list.length ? list[drawn]! : null;
    if (group === home || (group === null && size === 1)) return;
    const [values, left, joined] = [this.#values, this.#left, this.#joined];
    this.#evidence.ofMove(values, size > 1 ? home.slot : null, left, group?.slot ?? null, joined, entry.slot, even);
    const alone = ln(alpha) + entry.value;
    const here = size > 1 ? ln(size - 1) + home.value - values[0]! : alone;
    const there = group === null ? alone : ln(group.size) + values[1]! - group.value;
    const at = size > 1 ? list.indexOf(home) : -1;
    const back = guesses.lnChanceBack(at, size, left, drawn, joined, group?.size ?? 0);
    const gain = there - here + back - guesses.lnChance(drawn);
    // Not finite where the sums of a group are not positive semidefinite: nobody joins it.
    if (!Number.isFinite(gain) || (gain < 0 && !(random.uniform() < exp(gain)))) return;
    grouping.leave(entry);
    if (group === null) grouping.add(entry);
    else grouping.join(entry, group, values[1]!, joined);
    if (size > 1 && group !== null) {
      guesses.tell(at, home);
      guesses.tell(drawn, group);
    } else this.#look(grouping);
  }
}

const make = (dimension: number): Metropolis => new Metropolis(dimension);
