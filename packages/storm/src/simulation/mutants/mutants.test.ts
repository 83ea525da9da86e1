import { describe, expect, it } from "vitest";
import type { PlannedFault } from "../plan/fault.ts";
import { type Plan, planOf, type StormSize } from "../plan/plan.ts";
import { type StormOutcome, storm } from "../storm.ts";
import { MUTANTS } from "./index.ts";
import type { Mutant } from "./mutant.ts";
import { VIEW_MUTANTS } from "./view.ts";

/** Most bugs show in a small room; some need more peers, crashes or rounds to meet. */
const SIZES: { readonly [name: string]: StormSize } = {
  "keeps-old-log-after-snapshot": { peers: 5, rounds: 120 },
  // Caught by one plan in twelve; by one in sixty among six peers and 40 rounds.
  "no-refusal-record": { peers: 12, rounds: 80 },
  "unbounded-leap": { peers: 10, rounds: 24 },
  "told-before-durable": { peers: 8, rounds: 60 },
};

type Of<Kind extends PlannedFault["kind"]> = Extract<PlannedFault, { kind: Kind }>;

const faults = <Kind extends PlannedFault["kind"]>(
  plan: Plan,
  kind: Kind,
  holds: (fault: Of<Kind>) => boolean = () => true,
) => plan.faults.filter((fault): fault is Of<Kind> => fault.kind === kind && holds(fault as Of<Kind>)).length;
const plays = (plan: Plan, policy: string): boolean => plan.setting.policy === policy;
/** Somebody crashes in every other round, and comes back at once. */
const isFrantic = (plan: Plan): boolean => faults(plan, "crash") > (plan.peers * plan.rounds) / 20;

/** What a plan must hold for a bug to show: others need not be played. */
const NEEDS: { readonly [name: string]: (plan: Plan) => boolean } = {
  "no-refusal-record": (plan) => plays(plan, "dcb") && isFrantic(plan),
  "unbounded-leap": (plan) => faults(plan, "liar", ({ style }) => style === "leads") > 0,
  "no-hash-check": (plan) => faults(plan, "crash", ({ damage }) => damage === "flip") > 0,
  "version-not-raised": (plan) => plays(plan, "kindred"),
  "told-before-durable": (plan) => plays(plan, "kindred") && isFrantic(plan),
};

function* plansFor({ name }: Mutant): Generator<Plan> {
  for (let seed = 1, found = 0; found < 100; seed++) {
    const plan = planOf(seed, SIZES[name] ?? { peers: 6, rounds: 40 });
    if (!(NEEDS[name]?.(plan) ?? true)) continue;
    found += 1;
    yield plan;
  }
}

async function caught(mutant: Mutant): Promise<StormOutcome | null> {
  for (const plan of plansFor(mutant)) {
    const outcome = await storm(plan, mutant);
    // It was the bug: without it the same seed passes.
    if (outcome.failure !== null && (await storm(plan)).failure === null) return outcome;
  }
  return null;
}

describe("a planted bug is caught within 100 plans in which it can show:", () => {
  it("there are enough of them, each with its own name", () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(12);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  // Those of the view show in a room where many come and go for good (room/room.test.ts).
  it.each(MUTANTS.filter((mutant) => !VIEW_MUTANTS.includes(mutant)).map((mutant) => [mutant.name, mutant] as const))(
    "%s",
    async (_, mutant) => {
      expect(await caught(mutant)).not.toBeNull();
      // And it was taken out again.
      expect((await storm(planOf(1, { peers: 4, rounds: 12 }))).failure).toBeNull();
    },
    300_000,
  );
});
