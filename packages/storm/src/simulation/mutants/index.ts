import { ConfigError } from "@coterie/core";
import { EXCHANGE_MUTANTS } from "./exchange.ts";
import type { Mutant } from "./mutant.ts";
import { POLICY_MUTANTS } from "./policy.ts";
import { STORE_MUTANTS } from "./store.ts";
import { VIEW_MUTANTS } from "./view.ts";

/** All planted bugs. The storm must catch each of them: it is how we know that it looks. */
export const MUTANTS: readonly Mutant[] = [...EXCHANGE_MUTANTS, ...STORE_MUTANTS, ...POLICY_MUTANTS, ...VIEW_MUTANTS];

export function mutantOf(name: string): Mutant {
  const found = MUTANTS.find((mutant) => mutant.name === name);
  if (found === undefined) throw new ConfigError("--mutant", name, "be one that `coterie storm --mutant list` names");
  return found;
}
