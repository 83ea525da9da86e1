import type { LogEntry } from "./entry.ts";
import { type Evaluation, Evaluator } from "./evaluator.ts";
import { Survey } from "./survey.ts";
import type { TargetSpec } from "./targets.ts";

/** What is asked of a log. */
export interface EvaluateOptions {
  /** Policies to judge; `uniform` when left out. Without any, only what was earned is said. */
  readonly targets?: readonly TargetSpec[];
  /** How often an interval is to contain the truth; 0.95 when left out. */
  readonly confidence?: number;
}

/**
 * What other policies would have earned, from a log of what one did. Throws an `OverlapError` where the log cannot tell.
 * In memory; a long file is better read line by line into a `Survey` and then into an `Evaluator`.
 */
export function evaluate(log: readonly LogEntry[], options: EvaluateOptions = {}): Evaluation {
  const survey = new Survey();
  for (const entry of log) survey.add(entry);
  const evaluator = new Evaluator(survey, options.targets ?? ["uniform"]);
  for (const entry of log) evaluator.add(entry);
  return evaluator.report(options.confidence);
}
