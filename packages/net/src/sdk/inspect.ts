import type { Contributions, Features } from "../features/features.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import { type Belief, type Explanation, explain } from "./explain.ts";
import type { Ledger } from "./ledger.ts";

/** What a peer thinks of an item. Nothing waits for a reward because of it. */
export interface Scored<out T, out C> {
  readonly item: T;
  /** Its place in the list that was given. */
  readonly index: number;
  /** By which items are ranked, in the app's unit of reward; null where the policy draws, for then no score stands. */
  readonly score: number | null;
  /** What it is expected to pay. */
  readonly mean: number;
  /** How far off that may be, as the policy weighs it; null where it cannot tell. */
  readonly spread: number | null;
  explain(): Explanation<C>;
}

/** An item as numbers, scored. */
export interface ScoredArm {
  readonly index: number;
  readonly score: number | null;
  readonly arm: Float64Array;
  readonly spread: number | null;
  readonly picture: Belief;
}

export function scored<T, C>(
  item: T,
  { index, score, arm, spread, picture }: ScoredArm,
  features: Features<never, Contributions, never>,
  unit: number,
): Scored<T, C> {
  let mean = 0;
  for (let i = 0; i < arm.length; i++) mean += arm[i] * picture.estimate[i];
  return {
    item,
    index,
    score: score === null ? null : score * unit,
    mean: mean * unit,
    spread: spread === null ? null : spread * unit,
    explain: () => explain<C>({ picture, arm, spread, explored: false }, features, unit),
  };
}

/** A choice that waits for its reward. */
export interface PendingChoice {
  readonly id: ChoiceId;
  /** When it stops waiting, in milliseconds since 1970. */
  readonly due: number;
  /** The slate that it is of, while nobody has seen it there; else null. */
  readonly unseen: ChoiceId | null;
  /** What was chosen: its coordinates by name, before they are scaled. Those that are 0 are left out. */
  readonly x: Readonly<Record<string, number>>;
}

/** The oldest `most` of them. */
export function pendingOf(
  { pending }: Ledger,
  { names, scale }: Features<never, Contributions, never>,
  most: number,
): PendingChoice[] {
  const found: PendingChoice[] = [];
  for (const { id, due, unseen, arm } of pending.values()) {
    if (found.length >= most) break;
    const x: Record<string, number> = {};
    for (const [i, name] of names.entries()) if (arm[i] !== 0) x[name] = arm[i] / scale;
    found.push({ id, due, unseen: unseen?.slate ?? null, x });
  }
  return found;
}

/** What a coordinate adds to the expected reward where its value is 1: θ̂ · scale, in the app's unit. By name. */
export function weightsOf(
  estimate: ArrayLike<number>,
  { names, scale }: Features<never, Contributions, never>,
  unit: number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name, i) => [name, estimate[i] * scale * unit]));
}
