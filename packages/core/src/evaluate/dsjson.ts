import { checkReward } from "../bandit/reward.ts";
import { ConfigError } from "../errors.ts";
import { type Fields, fields, flag, list, oneOf, text, whole } from "../options.ts";
import { featuresOf } from "./dsjsonFeatures.ts";
import { type ChoiceEntry, LOG_VERSION, type LogEntry, type OutcomeEntry } from "./entry.ts";
import { checkProbability, checkPropensity, checkTogether, SLACK } from "./propensity.ts";
import { isoTime, timeOf } from "./time.ts";

/**
 * One decision and its outcome as Vowpal Wabbit's `--dsjson` reads them (github.com/VowpalWabbit/vowpal_wabbit/wiki/DSJSON,
 * and /JSON for what is inside of `c`).
 */
export interface Dsjson {
  /** Minus the reward. */
  readonly _label_cost: number;
  /** The propensity. */
  readonly _label_probability: number;
  /** The chosen action, from 1; and from 0. */
  readonly _label_Action: number;
  readonly _labelIndex: number;
  /** UTC, year-month-dayThh:mm:ss.sssZ. */
  readonly Timestamp: string;
  readonly Version: "1";
  readonly EventId: string;
  /** Actions from 1, the chosen one first, and their propensities in that order. */
  readonly a: readonly number[];
  readonly c: {
    readonly _multi: readonly { readonly _tag?: string; readonly item: Readonly<Record<string, number>> }[];
  };
  readonly p: readonly number[];
  readonly VWState: { readonly m: string };
}

/** Null where VW could learn nothing from it: without propensities, or without a reward. */
export function toDsjson(choice: ChoiceEntry, outcome: OutcomeEntry | undefined): Dsjson | null {
  const { propensity, propensities, chosen, items } = choice;
  const reward = outcome?.reward ?? null;
  if (propensity === null || propensities === undefined || reward === null) return null;
  const order = [chosen, ...items.keys()].filter((action, k) => k === 0 || action !== chosen);
  return {
    // Not −0, which JSON has no word for.
    _label_cost: reward === 0 ? 0 : -reward,
    _label_probability: propensity,
    _label_Action: chosen + 1,
    _labelIndex: chosen,
    Timestamp: isoTime(choice.at),
    Version: "1",
    EventId: choice.id,
    a: order.map((action) => action + 1),
    c: { _multi: items.map(({ name, x }) => ({ ...(name !== undefined && { _tag: name }), item: x })) },
    p: order.map((action) => propensities[action]!),
    VWState: { m: "N/A" },
  };
}

export const isDsjson = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("c" in value || "Version" in value || "_label_cost" in value);

/** A line of dsjson, from whoever logged it, as a choice and, where it has a label, its outcome. */
export function entriesOfDsjson(value: unknown): LogEntry[] {
  const given = fields("", value, Object.keys(value as object));
  if (given.Version !== undefined) oneOf("Version", given.Version, ["1"]);
  const context = fields("c", given.c, Object.keys((given.c ?? {}) as object));
  const single = "be left out: only lines of one decision (contextual bandits, not slates) are read";
  if (given._outcomes !== undefined) throw new ConfigError("_outcomes", given._outcomes, single);
  if (context._slots !== undefined) throw new ConfigError("c._slots", context._slots, single);
  if (given.pdrop !== undefined && given.pdrop !== 0)
    throw new ConfigError("pdrop", given.pdrop, "be 0: what was dropped cannot be counted");
  const items = featuresOf(context);
  const id = text("EventId", given.EventId);
  const at = timeOf("Timestamp", given.Timestamp);
  const head = { version: LOG_VERSION, id, at } as const;
  const outcome = outcomeOf(given);
  const choice: ChoiceEntry = { ...head, kind: "choice", items, ...decisionOf(given, items.length) };
  return outcome === null ? [choice] : [choice, { ...head, ...outcome }];
}

/** What was chosen, and how probable everything was. */
function decisionOf(given: Fields, count: number): Pick<ChoiceEntry, "chosen" | "propensity" | "propensities"> {
  const actions = given.a === undefined ? [] : list("a", given.a);
  for (const [k, action] of actions.entries()) whole(`a[${k}]`, action, 1, count);
  const first = given._label_Action ?? actions[0];
  const chosen = whole("_label_Action", first, 1, count) - 1;
  if (given._labelIndex !== undefined && given._labelIndex !== chosen)
    throw new ConfigError("_labelIndex", given._labelIndex, `be one less than _label_Action, ${chosen}`);
  if (given.p === undefined) {
    if (given._label_probability === undefined) return { chosen, propensity: null };
    return { chosen, propensity: checkPropensity("_label_probability", given._label_probability) };
  }
  if (actions.length !== count) throw new ConfigError("a", given.a, `be a list of ${count}, the actions of c._multi`);
  const propensities = new Array<number>(count).fill(0);
  for (const [k, p] of list("p", given.p, count).entries()) {
    if (actions.indexOf(actions[k]) < k) throw new ConfigError(`a[${k}]`, actions[k], "name each action once");
    propensities[(actions[k] as number) - 1] = checkProbability(`p[${k}]`, p);
  }
  checkTogether("p", propensities);
  const propensity = checkPropensity(`p[${actions.indexOf(chosen + 1)}]`, propensities[chosen]);
  const said = given._label_probability ?? propensity;
  if (Math.abs(checkPropensity("_label_probability", said) - propensity) > SLACK)
    throw new ConfigError("_label_probability", said, `be that of the chosen action in p, ${propensity}`);
  return { chosen, propensity, propensities };
}

function outcomeOf(given: Fields): Pick<OutcomeEntry, "kind" | "reward"> | null {
  const { _label_cost: cost, _skipLearn: skip } = given;
  if (skip !== undefined && flag("_skipLearn", skip)) return { kind: "expired", reward: null };
  if (cost === undefined) return null;
  const reward = checkReward("_label_cost", cost);
  return { kind: "reward", reward: reward === 0 ? 0 : -reward };
}
