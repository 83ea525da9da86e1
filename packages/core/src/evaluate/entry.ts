import { checkReward } from "../bandit/reward.ts";
import { ConfigError } from "../errors.ts";
import { type Fields, fields, list, oneOf, real, text, whole } from "../options.ts";
import { checkPropensities, checkPropensity, SLACK } from "./propensity.ts";

/** Raised whenever an older reader would misread a line. */
export const LOG_VERSION = 1;

/** An item as the learner saw it. */
export interface LoggedItem {
  /** The app's name for it, where it gave one. */
  readonly name?: string;
  /** Its coordinates by their names; those that are 0 are left out. */
  readonly x: Readonly<Record<string, number>>;
}

/** A choice, on the line on which it was made. Each line stands for itself, so logs can be cut, joined and sampled. */
export interface ChoiceEntry {
  readonly version: typeof LOG_VERSION;
  readonly kind: "choice";
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly peer?: string;
  /** Which side of an A/B test made it. */
  readonly variant?: string;
  /** For whom it was made. Choices of one unit are not independent, so intervals count units. */
  readonly unit?: string;
  /** The first choice of the list that it was made for. */
  readonly slate?: string;
  readonly items: readonly LoggedItem[];
  /** The place of the item that was chosen. */
  readonly chosen: number;
  /** The probability with which it was; null where nobody knows it, or where no other item could have been. */
  readonly propensity: number | null;
  /** Those of all items, where they are known. */
  readonly propensities?: readonly number[];
  /** What a peer in shadow mode would have chosen, where the app chose. */
  readonly would?: number;
}

/** What a choice was worth. `expired`: nobody said so in time; then the fallback was learnt, or nothing (null). */
export interface OutcomeEntry {
  readonly version: typeof LOG_VERSION;
  readonly kind: "reward" | "expired";
  readonly id: string;
  readonly at: number;
  readonly reward: number | null;
}

/** One line of a decision log. */
export type LogEntry = ChoiceEntry | OutcomeEntry;

const CHOICE = [
  ...["version", "kind", "id", "at", "peer", "variant", "unit", "slate"],
  ...["items", "chosen", "propensity", "propensities", "would"],
];
const OUTCOME = ["version", "kind", "id", "at", "reward"];
const TEXTS = ["peer", "variant", "unit", "slate"] as const;

/** A line of a log, checked. */
export function parseEntry(value: unknown): LogEntry {
  const { version, kind } = fields("", value, Object.keys((value ?? {}) as object));
  if (version !== LOG_VERSION)
    throw new ConfigError("version", version, `be ${LOG_VERSION}, the one that is known here`);
  return oneOf("kind", kind, ["choice", "reward", "expired"]) === "choice" ? parseChoice(value) : parseOutcome(value);
}

function parseChoice(value: unknown): ChoiceEntry {
  const given = fields("", value, CHOICE);
  for (const name of TEXTS) if (given[name] !== undefined) text(name, given[name]);
  identify(given);
  const items = list("items", given.items);
  if (items.length === 0) throw new ConfigError("items", items, "hold at least one item");
  for (let k = 0; k < items.length; k++) checkItem(`items[${k}]`, items[k]);
  const chosen = whole("chosen", given.chosen, 0, items.length - 1);
  if (given.would !== undefined) whole("would", given.would, 0, items.length - 1);
  checkChances(given, items.length, chosen);
  return value as ChoiceEntry;
}

function checkItem(field: string, value: unknown): void {
  const { name, x } = fields(field, value, ["name", "x"]);
  if (name !== undefined) text(`${field}.name`, name);
  for (const [label, number] of Object.entries(fields(`${field}.x`, x, Object.keys((x ?? {}) as object)))) {
    real(`${field}.x[${JSON.stringify(label)}]`, number);
  }
}

function checkChances({ propensity, propensities }: Fields, count: number, chosen: number): void {
  if (propensity !== null) checkPropensity("propensity", propensity);
  if (propensities === undefined) return;
  const all = checkPropensities("propensities", propensities, count, chosen);
  if (propensity === null || Math.abs(all[chosen]! - (propensity as number)) > SLACK)
    throw new ConfigError(
      `propensities[${chosen}]`,
      all[chosen],
      `be the propensity of the chosen item, ${propensity}`,
    );
}

function parseOutcome(value: unknown): OutcomeEntry {
  const given = fields("", value, OUTCOME);
  identify(given);
  if (given.kind === "reward" || given.reward !== null) checkReward("reward", given.reward);
  return value as OutcomeEntry;
}

function identify({ id, at }: Fields): void {
  text("id", id);
  real("at", at, "be a time in milliseconds since 1970");
}
