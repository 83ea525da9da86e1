/** What other policies would have earned, from a log of decisions. Pure: texts and entries in, numbers out. */
export { assign } from "./assign.ts";
export { type Dsjson, toDsjson } from "./dsjson.ts";
export { type ChoiceEntry, LOG_VERSION, type LogEntry, type LoggedItem, type OutcomeEntry } from "./entry.ts";
export type { Estimate } from "./estimators.ts";
export { type EvaluateOptions, evaluate } from "./evaluate.ts";
export { type Evaluation, Evaluator } from "./evaluator.ts";
export { type Joined, Joiner } from "./join.ts";
export { parseLine, parseLog } from "./line.ts";
export type { Menu } from "./menu.ts";
export { OverlapError } from "./overlap.ts";
export { checkPropensities } from "./propensity.ts";
export { type ShadowReport, ShadowTally, shadowReport } from "./shadow.ts";
export { type LogShape, Survey } from "./survey.ts";
export type { TargetReport } from "./tally.ts";
export { type OwnTarget, TARGET_NAMES, type TargetSpec } from "./targets.ts";
export { compareVariants, type VariantReport, type VariantsReport, VariantsTally } from "./variants.ts";
