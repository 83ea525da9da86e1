import type { Outcome } from "./learner.ts";

/** What a step came to, in order. Data: the host acts on it. */
export type Effect =
  | { readonly kind: "chosen"; readonly arm: number }
  | { readonly kind: "met"; readonly outcome: Outcome };

/** What one step led to, in order. */
export type Effects = readonly Effect[];

/** Effects are frozen and made once for each value, so that a step in steady state allocates nothing. */
export const NOTHING: Effects = Object.freeze([]);

const frozen = (effect: Effect): Effects => Object.freeze([Object.freeze(effect)]);

export const OUTCOME: Readonly<Record<Outcome, Effects>> = Object.freeze({
  mix: frozen({ kind: "met", outcome: "mix" }),
  prune: frozen({ kind: "met", outcome: "prune" }),
  keep: frozen({ kind: "met", outcome: "keep" }),
  stranger: frozen({ kind: "met", outcome: "stranger" }),
});

const chosen: Effects[] = [];

export function armChosen(arm: number): Effects {
  while (chosen.length <= arm && chosen.length < MOST_KEPT) chosen.push(frozen({ kind: "chosen", arm: chosen.length }));
  return chosen[arm] ?? frozen({ kind: "chosen", arm });
}

/** Beyond so many arms an effect is made when needed: nobody offers that many, but a test may. */
const MOST_KEPT = 4096;
