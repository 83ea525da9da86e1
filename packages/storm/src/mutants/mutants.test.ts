import { describe, expect, it } from "vitest";
import { planOf, type Size } from "../plan/plan.ts";
import { type Outcome, storm } from "../storm.ts";
import { MUTANTS } from "./index.ts";
import type { Mutant } from "./mutant.ts";

/** Most bugs show in a small room; some need more peers, crashes or rounds to meet. */
const SIZES: { readonly [name: string]: Size } = {
  "no-refusal-record": { peers: 10, rounds: 60 },
  "keeps-old-log-after-snapshot": { peers: 5, rounds: 120 },
  "unbounded-leap": { peers: 10, rounds: 40 },
  "told-before-durable": { peers: 20, rounds: 60 },
};

/** Where a bug is in what one policy does: seeds that draw another one need not be run. */
const POLICIES: { readonly [name: string]: string } = {
  "no-refusal-record": "dcb",
  "version-not-raised": "kindred",
  "told-before-durable": "kindred",
};

async function caught(mutant: Mutant): Promise<Outcome | null> {
  for (let seed = 1; seed <= 100; seed++) {
    const plan = planOf(seed, SIZES[mutant.name] ?? { peers: 6, rounds: 40 });
    if (plan.setting.policy !== (POLICIES[mutant.name] ?? plan.setting.policy)) continue;
    const outcome = await storm(plan, mutant);
    // It was the bug: without it the same seed passes.
    if (outcome.failure !== null && (await storm(plan)).failure === null) return outcome;
  }
  return null;
}

describe("a planted bug is caught within 100 seeds:", () => {
  it("there are enough of them, each with its own name", () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(12);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    "%s",
    async (_, mutant) => {
      expect(await caught(mutant)).not.toBeNull();
      // And it was taken out again.
      expect((await storm(planOf(1, { peers: 4, rounds: 12 }))).failure).toBeNull();
    },
    300_000,
  );
});
