import { ConfigError, type Policy } from "@coterie/core";
import { isDescribed } from "../features/coordinates.ts";
import type { Features } from "../features/features.ts";
import type { RewardRange } from "./rewards.ts";

/** What a store's numbers mean, in full: enough to read them under other terms. */
export interface FullTerms {
  readonly room: string;
  /** As `Features.describe` gives it. */
  readonly features: string;
  /** Of an app's own encoder: its coordinates. */
  readonly names?: readonly string[];
  readonly policy: { readonly kind: string; readonly options: object };
  readonly range: RewardRange;
}

export function fullTermsOf(
  room: string,
  features: Pick<Features<never>, "describe" | "names">,
  policy: Policy,
  range: RewardRange,
): FullTerms {
  const { kind, options } = policy;
  const description = features.describe();
  const own = isDescribed(description) ? {} : { names: features.names };
  return { room, features: description, ...own, policy: { kind, options }, range };
}

/** Terms that a store has kept. */
export function parseTerms(text: string): FullTerms {
  try {
    return JSON.parse(text) as FullTerms;
  } catch {
    throw new ConfigError("store: terms", text, "be the JSON that a peer wrote");
  }
}

/** What differs, field by field: `features.words.max: 3000, was 2000`. */
export function differences(was: FullTerms, now: FullTerms): string[] {
  const range = (terms: FullTerms) => ({ range: terms.range });
  return [
    ...differing("features", featuresOf(was), featuresOf(now)),
    ...differing("policy", { kind: was.policy.kind }, { kind: now.policy.kind }),
    ...(was.policy.kind === now.policy.kind ? differing("policy", was.policy.options, now.policy.options) : []),
    ...differing("reward", range(was), range(now)),
  ];
}

/** Features by name, where the description is one of ours; else all of it. */
function featuresOf({ features }: FullTerms): object {
  try {
    type Named = { readonly name: string; readonly kind?: string };
    const {
      context = [],
      cross = [],
      ...rest
    } = JSON.parse(features) as {
      readonly features?: readonly Named[];
      readonly context?: readonly Named[];
      readonly cross?: readonly (readonly string[])[];
    };
    if (rest.features === undefined) return rest;
    const named = [...rest.features, ...context].map(({ name, ...meaning }) => [name, asDeclared(meaning)]);
    return Object.fromEntries([...named, ...cross.map((pair) => [pair.join("×"), {}])]);
  } catch {
    return { description: features };
  }
}

/** All numbers of a vector, of which nothing is written down, as an app says it: what to declare to go on as before. */
const asDeclared = (meaning: { readonly kind?: string }): object =>
  meaning.kind === "vector" ? { project: false, ...meaning } : meaning;

function differing(path: string, was: unknown, now: unknown): string[] {
  if (same(was, now)) return [];
  if (now === undefined) return [`${path}: gone`];
  if (was === undefined) return [`${path}: new`];
  if (isTexts(was) && isTexts(now))
    return [`${path}: ${[...values(now, was, "new"), ...values(was, now, "gone")].join(", ")}`];
  if (!isObject(was) || !isObject(now)) return [`${path}: ${JSON.stringify(now)}, was ${JSON.stringify(was)}`];
  const names = new Set([...Object.keys(was), ...Object.keys(now)]);
  return [...names].sort().flatMap((name) => differing(`${path}.${name}`, was[name], now[name]));
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && typeof value[0] === "string";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Those in one list that are not in the other. */
const values = (some: readonly string[], others: readonly string[], word: string): string[] =>
  some.filter((value) => !others.includes(value)).map((value) => `${value} ${word}`);
