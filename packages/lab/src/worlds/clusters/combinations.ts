import { ConfigError, check } from "@coterie/core";
import { isClicks } from "./fields.ts";

/** Fields of which each would undo, or make a nonsense of, the ones beside it. */
const APART: readonly (readonly [field: string, others: readonly string[], why: string])[] = [
  ["gap", ["rank", "relevant", "tastes"], "one field says how tastes are drawn"],
  ["rank", ["relevant", "tastes"], "one field says how tastes are drawn"],
  ["relevant", ["tastes"], "one field says how tastes are drawn"],
  ["drift", ["rank", "relevant", "tastes"], "tastes that drift do not stay as they were drawn"],
  ["spread", ["tastes"], "rates of items are the same for a whole cluster"],
  ["distribution", ["catalogue", "correlated", "constant"], "each says how arms are drawn"],
  ["noise", ["noises"], "noises says it for every peer"],
];

/** Refuses fields that cannot stand together, by name, before their values are looked at. */
export function checkTogether(field: string, given: check.Fields): void {
  const refuse = (name: string, other: string, why: string): never => {
    throw new ConfigError(check.join(field, name), given[name], `not be combined with ${other}: ${why}`);
  };
  for (const [name, others, why] of APART) {
    if (given[name] === undefined) continue;
    for (const other of others) if (given[other] !== undefined) refuse(name, other, why);
  }
  if (!isClicks(given.rewards)) return;
  for (const name of ["noise", "noises"]) {
    if (given[name] !== undefined) refuse(name, "rewards of clicks", "a click is 0 or 1");
  }
}
