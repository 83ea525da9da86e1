import type { Mutant } from "./mutants/mutant.ts";
import type { PlannedFault } from "./plan/fault.ts";
import type { Plan } from "./plan/plan.ts";
import { type CheckName, type StormOutcome, storm } from "./storm.ts";

export interface Story {
  readonly plan: Plan;
  readonly outcome: StormOutcome;
  /** Runs it took. */
  readonly runs: number;
}

/**
 * The fewest faults with which the same check still fails: whole stretches of them are left out first, then smaller
 * ones, then each by itself. Ends early after `most` runs, with the shortest story so far.
 */
export async function shrink(plan: Plan, check: CheckName, mutant: Mutant | null = null, most = 60): Promise<Story> {
  let runs = 0;
  let best = { plan, outcome: await storm(plan, mutant) };
  const tryWith = async (faults: readonly PlannedFault[]): Promise<boolean> => {
    runs += 1;
    const shorter = { ...best.plan, faults };
    const outcome = await storm(shorter, mutant);
    if (outcome.failure?.check !== check) return false;
    best = { plan: shorter, outcome };
    return true;
  };
  for (let size = best.plan.faults.length; size >= 1 && runs < most; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.plan.faults.length && runs < most; ) {
      const { faults } = best.plan;
      const without = [...faults.slice(0, at), ...faults.slice(at + size)];
      if (!(await tryWith(without))) at += size;
    }
  }
  return { ...best, runs };
}
