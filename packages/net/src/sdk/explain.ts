import type { LearnerView, Policy } from "@coterie/core";
import type { Contributions, Features } from "../features/features.ts";
import { tell } from "./tell.ts";

/** Why an item was chosen, in the app's unit of reward. */
export interface Explanation<C> {
  /** What it is expected to pay. */
  readonly mean: number;
  /** What is added for what is not known yet. Null where nothing is added, because the policy draws. */
  readonly bonus: number | null;
  /** How far off the mean may be, as the policy weighs it; what a policy that draws has in place of a bonus. */
  readonly spread: number | null;
  /** Each feature's part of the mean: they add up to it. */
  readonly shares: C;
  /**
   * The same in smaller parts, the weightiest first: by coordinate where a feature has one that counts, such as
   * `device×genre=phone×news`, else by feature. Those without a share are left out.
   */
  readonly reasons: readonly ExplanationReason[];
  /** All of this in two or three sentences, for people. */
  readonly text: string;
  /** How many observations the expectation rests on (averages are shared, so this need not be whole). */
  readonly evidence: number;
  /** How many this peer made itself, those that still wait in its buffer included. */
  readonly own: number;
  /** How many came from others: those they lent where the policy can tell, else at least so many. */
  readonly borrowed: number;
  /** From how many: those who lent, or the members in the neighbourhood where the policy averages. */
  readonly neighbours: number;
  /** How far what others gave was set aside: 0 not at all, 1 wholly; null where the policy has no guard. */
  readonly aside: number | null;
  /** The item was drawn at random for the sake of `explore.floor`, not picked by its score. */
  readonly explored: boolean;
}

/** A part of the mean. */
export interface ExplanationReason {
  readonly name: string;
  readonly share: number;
}

/** What a peer believed at a moment. Choices made between two changes of its state share one. */
export interface Belief {
  readonly draws: boolean;
  readonly estimate: Float64Array;
  readonly evidence: number;
  readonly own: number;
  readonly borrowed: number;
  readonly neighbours: number;
  readonly aside: number | null;
}

export function beliefOf({ propensity }: Policy, view: LearnerView, neighbours: () => number): Belief {
  const { evidence, own, estimate } = view;
  const draws = propensity === "unknown";
  const rest = { draws, estimate: estimate.slice(), evidence, own, aside: view.aside ?? null };
  // A policy that knows its lenders says how many; of one that averages, all neighbours may have lent.
  const lenders = view.lenders?.();
  if (lenders === undefined) return { ...rest, borrowed: Math.max(0, evidence - own), neighbours: neighbours() };
  let borrowed = 0;
  for (const count of lenders.values()) borrowed += count;
  return { ...rest, borrowed, neighbours: lenders.size };
}

/** One choice, and what was believed when it was made. */
export interface Explained {
  readonly picture: Belief;
  readonly arm: Float64Array;
  /** Of the arm, by the picture's belief. */
  readonly spread: number | null;
  readonly explored: boolean;
}

export function explain<C>(
  { picture, arm, spread, explored }: Explained,
  features: Features<never, Contributions, never>,
  unit: number,
): Explanation<C> {
  const { draws, estimate, evidence, own, borrowed, neighbours, aside } = picture;
  const shares = features.contributions(
    estimate.map((value) => value * unit),
    arm,
  );
  const width = spread === null ? null : spread * unit;
  const mean = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const reasons = reasonsOf(estimate, arm, features, unit);
  return {
    mean,
    bonus: draws ? null : width,
    spread: width,
    shares: shares as C,
    reasons,
    text: tell({ mean, spread: width, reasons, evidence, own, borrowed, neighbours, explored }),
    evidence,
    own,
    borrowed,
    neighbours,
    aside,
    explored,
  };
}

/** By coordinate where a feature has only one that is not 0, else by feature; the bias is one of them. */
function reasonsOf(
  estimate: ArrayLike<number>,
  arm: Float64Array,
  { names, spans }: Features<never, Contributions, never>,
  unit: number,
): ExplanationReason[] {
  const share = (i: number): number => estimate[i] * arm[i] * unit;
  const bias = spans[0].from === 0 ? [] : [{ name: names[0], share: share(0) }];
  const parts = spans.map(({ name, from, end }): ExplanationReason => {
    const on = Array.from({ length: end - from }, (_, k) => from + k).filter((i) => arm[i] !== 0);
    const sum = on.reduce((total, i) => total + share(i), 0);
    return { name: on.length === 1 ? names[on[0]] : name, share: sum };
  });
  return [...bias, ...parts].filter((part) => part.share !== 0).sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
}
