import { mutantOf } from "./mutants/index.ts";
import { describe } from "./plan/fault.ts";
import { planOf } from "./plan/plan.ts";
import { shrink } from "./shrink.ts";
import type { Counts, StormOutcome } from "./storm.ts";

/** A failure as its shortest story, for people. */
export interface ToldFailure {
  readonly seed: number;
  readonly check: string;
  readonly message: string;
  readonly faults: readonly string[];
  /** Shrunk from so many. */
  readonly of: number;
}

/** The shortest story of the first failure; null where nothing failed. */
export async function storyOf(outcomes: readonly StormOutcome[], mutant: string | null): Promise<ToldFailure | null> {
  const first = outcomes.find(({ failure }) => failure !== null);
  if (first?.failure == null) return null;
  const plan = planOf(first.seed, first);
  const story = await shrink(plan, first.failure.check, mutant === null ? null : mutantOf(mutant));
  const { check, message } = story.outcome.failure ?? first.failure;
  return { seed: first.seed, check, message, faults: story.plan.faults.map(describe), of: plan.faults.length };
}

const one = ({ seed, policy, peers, rounds, hash }: StormOutcome): string =>
  `seed ${seed}, ${policy}, ${peers} peers, ${rounds} rounds, trace ${hash}`;

export function reportText(outcomes: readonly StormOutcome[], story: ToldFailure | null): string {
  const sum = (name: keyof Counts): number => outcomes.reduce((total, { counts }) => total + counts[name], 0);
  const lines = outcomes.length > 1 ? [] : outcomes.map(one);
  lines.push(
    [
      `${outcomes.length} seeds: ${sum("rewards")} rewards`,
      `${sum("mixes")} mixes`,
      `${sum("messages")} messages (${sum("lost")} lost)`,
      `${sum("crashes")} crashes`,
      `${sum("repairs")} repairs (${sum("regains")} times the room gave back what was lost)`,
      `${sum("givenUp")} exchanges given up`,
      `${sum("weighed")} weighings`,
      `${sum("compared")} exchanges compared`,
    ].join(", "),
  );
  if (story === null) lines.push("no check failed");
  else {
    lines.push(`seed ${story.seed} failed (${story.check}): ${story.message}`);
    lines.push(`the shortest story, ${story.faults.length} of ${story.of} faults:`);
    lines.push(...story.faults.map((fault) => `  ${fault}`));
  }
  return `${lines.join("\n")}\n`;
}
