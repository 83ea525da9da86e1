import { Factor, type LearnerView, type Policy, type Radius, radiusAt } from "@coterie/core";
import type { Features } from "../features/features.ts";

/** Why an item was chosen, in the app's unit of reward. */
export interface Explanation<C> {
  /** What it is expected to pay. */
  readonly mean: number;
  /** What is added for what is not known yet. Null where the policy does not tell. */
  readonly bonus: number | null;
  /** Each feature's part of the mean: they add up to it. */
  readonly shares: C;
  /** How many observations the expectation rests on (averages are shared, so this need not be whole). */
  readonly evidence: number;
  /** How many this peer made itself, those that still wait in its buffer included. */
  readonly own: number;
  /** How many must have come from others, at least. */
  readonly borrowed: number;
  /** From how many: the members in the neighbourhood. */
  readonly neighbours: number;
  /** The item was drawn at random for the sake of `explore.floor`, not picked by its score. */
  readonly explored: boolean;
}

/** What a peer believed at a moment. Choices made between two changes of its state share one. */
export interface Picture {
  readonly policy: Policy;
  readonly round: number;
  readonly estimate: Float64Array;
  /** The slot that the estimate comes from, where a bonus can be told from it. */
  readonly active: Float64Array | null;
  readonly evidence: number;
  readonly own: number;
  readonly neighbours: number;
}

export function pictureOf(policy: Policy, round: number, view: LearnerView, neighbours: number): Picture {
  const { evidence, own } = view;
  const active = radiusOf(policy) === null ? null : view.active.slice();
  // A policy that knows its lenders says how many; of one that averages, all neighbours may have lent.
  const from = view.lenders?.().size ?? neighbours;
  return { policy, round, estimate: view.estimate.slice(), active, evidence, own, neighbours: from };
}

export function explain<C>(
  picture: Picture,
  features: Features<never>,
  arm: Float64Array,
  unit: number,
  explored: boolean,
): Explanation<C> {
  const { estimate, evidence, own, neighbours } = picture;
  const scaled = estimate.map((value) => value * unit);
  const shares = features.contributions(scaled, arm);
  const bonus = bonusOf(picture, arm);
  return {
    mean: Object.values(shares).reduce((sum, share) => sum + share, 0),
    bonus: bonus === null ? null : bonus * unit,
    shares: shares as C,
    evidence,
    own,
    borrowed: Math.max(0, evidence - own),
    neighbours,
    explored,
  };
}

/** ρ √(xᵀA⁻¹x) = ρ ‖L⁻¹x‖, A = I + gram = L Lᵀ. */
function bonusOf({ policy, round, active }: Picture, arm: Float64Array): number | null {
  const radius = radiusOf(policy);
  if (radius === null || active === null) return null;
  const factor = new Factor(arm.length);
  if (!factor.refactor(active, 0, 1)) return null;
  const { lower, reciprocal } = factor;
  const solved = new Float64Array(arm.length);
  let square = 0;
  for (let i = 0, row = 0; i < arm.length; row += i + 1, i++) {
    let sum = arm[i];
    for (let j = 0; j < i; j++) sum -= lower[row + j] * solved[j];
    solved[i] = sum * reciprocal[i];
    square += solved[i] * solved[i];
  }
  return radiusAt(radius, round, factor) * Math.sqrt(square);
}

/** The radius of a policy that chooses by the upper edge of a ball, and whose ball is that of the active sums. */
function radiusOf({ options }: Policy): Radius | null {
  const { radius, choice, bridge } = options as { radius?: Radius; choice?: string; bridge?: boolean };
  return radius === undefined || choice !== "optimistic" || bridge === true ? null : radius;
}
