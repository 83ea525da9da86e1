import type { Reader, Writer } from "../numbers/bytes.ts";
import { exp } from "../numbers/exp.ts";
import { Factor } from "../numbers/factor.ts";
import { addIdentity, slotSize, triangleSize } from "../numbers/packed.ts";
import { roomOf } from "../numbers/room.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import type { Work } from "../work.ts";
import { Evidence, shiftedSquares } from "./evidence.ts";
import type { Group } from "./group.ts";
import type { Even } from "./lowRank.ts";
import type { Model, Population } from "./population.ts";
import { Prior } from "./prior.ts";

/** The ω that are tried. */
const SHARES = [0.03, 0.1, 0.3];
/** The prior odds that members of a group differ. */
const ODDS = 0.1;
/** Records that a fit looks at; fewer, as the cube of their ratio, where there are more features than `MANY`, and none where that is less than `LEAST`. */
const SAMPLE = 32;
const MANY = 64;
const LEAST = 4;
/** Where it is less likely that members differ, it is left out. */
const LEAST_CHANCE = 0.01;
/** No log of odds above it changes anything. */
const MOST_LOG = 50;

interface Room {
  readonly factor: Factor;
  readonly matrix: Float64Array;
  readonly rest: Float64Array;
}

const makeRoom = (dimension: number): Room => ({
  factor: new Factor(dimension),
  matrix: new Float64Array(triangleSize(dimension)),
  rest: new Float64Array(slotSize(dimension)),
});

/**
 * Tastes in real data are similar, not the same. Groups are made as if their members shared one θ; but what a group says of
 * one more peer allows for a difference,
 *
 *     θ_j = θ_g + N(0, ω b I),          with the chance p, else θ_j = θ_g
 *
 * b the variance of a θ in the population. With A = S_g + R of the group's sums and κ = ω b/σ², the prior of such a θ_j has
 * the mean μ + A⁻¹v'_g and, in units of sums, the precision
 *
 *     (A⁻¹ + κI)⁻¹ = (I − (I + κA)⁻¹)/κ,
 *
 * at most 1/κ in any direction, however much the group has seen.
 *
 * p and ω are learnt from the records of a view: how well each of a sample is predicted by the others of its group, with ω and
 * without.
 */
export class GroupSpread {
  /** ω. */
  share = SHARES[0]!;
  /** p. */
  chance = 0;
  /** Of the θ of whoever `odds` was asked for last. */
  readonly prior: Prior;
  /** The value of the group's sums, as they were widened last. */
  #value = 0;
  readonly #evidence: Evidence;
  readonly #room: Room;

  constructor(readonly dimension: number) {
    this.prior = new Prior(sharedNumbers(dimension));
    this.#evidence = new Evidence(dimension);
    this.#room = roomOf(dimension, makeRoom);
  }

  /**
   * The chance that a member differs, times how many times likelier the sums `own`, `weight` times, are if their peer is in the
   * group and differs than if it is in it and does not. `prior` is that of its θ if it does. `together` is the value of the group's
   * sums and these under the population, where that is known.
   */
  odds(
    own: Float64Array,
    weight: number,
    group: Pick<Group, "slot" | "value" | "centre" | "from" | "centred">,
    together: number | null,
    population: Population,
  ): number {
    if (this.chance < LEAST_CHANCE) return 0;
    const { slot } = group;
    // What is known of a group is what the even model says of it.
    if (together !== null && group.centred && population.is(population.even)) this.#take(group, population);
    else this.#look(slot, population);
    if (this.#value === -Infinity) return 0;
    const apart = this.#apart(own, weight, slot, this.share * population.variance, population);
    const same = together === null ? this.#same(own, weight, slot, population) : together - this.#value;
    const gain = apart - same;
    // Not a number where `own` are sums that nobody can have seen.
    return gain > -Infinity ? this.chance * exp(Math.min(MOST_LOG, gain)) : 0;
  }

  /** Looks at a group: the mean of `prior` is that of its θ. Whether there is such a group. */
  #look(slot: Float64Array, { prior, noise }: Model): boolean {
    const { mean } = this.prior;
    this.#value = this.#evidence.of(slot, prior, noise, mean);
    for (let i = 0; i < mean.length; i++) mean[i]! += prior.mean[i]!;
    return this.#value > -Infinity;
  }

  /** The same of a group whose value and centre are known. */
  #take({ value, centre, from }: Pick<Group, "value" | "centre" | "from">, { prior }: Model): void {
    const { mean } = this.prior;
    this.#value = value;
    for (let i = 0; i < mean.length; i++) mean[i] = centre[from + i]! + prior.mean[i]!;
  }

  /** ln p of `own` given the group looked at, for a peer that is as its members are, but for what `#apart` leaves out too. */
  #same(own: Float64Array, weight: number, slot: Float64Array, { prior, noise }: Model): number {
    return this.#evidence.ofSum(slot, own, prior, noise, weight) - this.#value;
  }

  /** The same for a peer that differs by `variance`; `prior` is that of its θ. */
  #apart(own: Float64Array, weight: number, slot: Float64Array, variance: number, { prior, noise }: Model): number {
    if (!this.#limit(slot, prior.ridge, variance / noise)) return -Infinity;
    // Values are relative to what the mean of their prior leaves unexplained.
    const shifted = shiftedSquares(0, own, prior.mean) - shiftedSquares(0, own, this.prior.mean);
    return this.#evidence.ofScaled(own, weight, this.prior, noise) + (weight * shifted) / (2 * noise);
  }

  /** R becomes (I − (I + κ(S + R))⁻¹)/κ. */
  #limit(slot: Float64Array, ridge: Float64Array, kappa: number): boolean {
    const { matrix, factor } = this.#room;
    for (let k = 0; k < matrix.length; k++) matrix[k] = kappa * (slot[k]! + ridge[k]!);
    if (!factor.refactor(matrix, 0, 1)) return false;
    factor.invert(matrix);
    for (let k = 0; k < matrix.length; k++) matrix[k]! /= -kappa;
    addIdentity(matrix, 0, this.dimension, 1 / kappa);
    this.prior.setRidge(matrix);
    return true;
  }

  /** Learns ω and p from groups. The value of each record alone is known. */
  *fitting(groups: readonly Group[], model: Model & Pick<Even, "ridge">): Work {
    const variance = model.noise / model.ridge;
    const several = groups.filter(({ size }) => size > 1);
    const members = several.flatMap((group) => group.members.map((entry) => ({ entry, group })));
    this.chance = 0;
    const together = several.reduce((sum, { value }) => sum + value, 0);
    const alone = members.reduce((sum, { entry }) => sum + entry.value, 0);
    const sample = Math.min(1, (MANY / this.dimension) ** 3) * SAMPLE;
    if (sample < LEAST) return;
    // Groups that explain records no better than nothing are mixed: of course their members seem to differ.
    if (!(together > alone)) return;
    const step = Math.ceil(members.length / sample);
    const logs = SHARES.map(() => 0);
    for (let k = 0; k < members.length; k += step) {
      const { entry, group } = members[k]!;
      const { rest } = this.#room;
      for (let i = 0; i < rest.length; i++) rest[i] = group.slot[i]! - entry.slot[i]!;
      if (!this.#look(rest, model)) continue;
      const same = this.#same(entry.slot, 1, rest, model);
      for (const [s, share] of SHARES.entries()) {
        const gain = this.#apart(entry.slot, 1, rest, share * variance, model) - same;
        if (Number.isFinite(gain)) logs[s]! += gain;
      }
      yield;
    }
    const top = Math.max(...logs);
    this.share = SHARES[logs.indexOf(top)]!;
    const sum = logs.reduce((total, log) => total + exp(log - top), 0);
    const odds = ((ODDS * sum) / SHARES.length) * exp(Math.min(MOST_LOG, Math.max(-MOST_LOG, top)));
    this.chance = odds / (1 + odds);
  }

  write(out: Writer): void {
    out.f64(this.share);
    out.f64(this.chance);
  }

  read(from: Reader): void {
    this.share = from.f64("spread");
    this.chance = from.f64("spread");
  }
}
