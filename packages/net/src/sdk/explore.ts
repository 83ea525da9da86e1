import { check, type Policy, type Random } from "@coterie/core";

/** How often to choose at random, so that what was chosen can be judged later. */
export interface ExploreOptions {
  /** With this probability a choice is drawn uniformly instead. */
  readonly floor: number;
}

/** How a choice came about. */
export interface Picked {
  readonly arm: number;
  /** The arm that the policy would have. */
  readonly best: number;
  /** The probability with which this arm was chosen. Null where it was certain, or where the policy does not tell. */
  readonly propensity: number | null;
  readonly explored: boolean;
}

export function parseFloor(options: ExploreOptions | undefined): number {
  if (options === undefined) return 0;
  const { floor } = check.fields("explore", options, ["floor"]);
  return floor === 0 ? 0 : floor === 1 ? 1 : check.between("explore.floor", floor, 0, 1);
}

/** P(arm) = floor / count, and 1 − floor more for the one that the policy would have. */
export function explore(best: number, count: number, floor: number, policy: Policy, random: Random): Picked {
  const uniform = policy.propensity === "uniform";
  if (floor === 0) return { arm: best, best, propensity: uniform ? 1 / count : null, explored: false };
  const explored = random.uniform() < floor;
  const arm = explored ? random.below(count) : best;
  const propensity = floor / count + (arm === best ? 1 - floor : 0);
  return { arm, best, propensity: known(policy, propensity, count), explored };
}

/** The probabilities of all arms, where that of the chosen one is known. */
export function propensitiesOf(
  { best, propensity }: Picked,
  count: number,
  floor: number,
  policy: Policy,
): number[] | null {
  if (propensity === null) return null;
  const certain = policy.propensity === "uniform" ? 0 : 1 - floor;
  return Array.from({ length: count }, (_, arm) => (1 - certain) / count + (arm === best ? certain : 0));
}

/** A policy that draws from its posterior has chances of its own, which nobody computes. */
function known(policy: Policy, propensity: number, count: number): number | null {
  if (policy.propensity === "uniform") return 1 / count;
  return policy.propensity === "unknown" ? null : propensity;
}
