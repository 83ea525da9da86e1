import { check } from "@coterie/core";

/** What callers ask for. Items are checked by the peer's features, rewards by their range. */
export interface ChooseRequest {
  readonly items: readonly unknown[];
  readonly k: number;
  readonly explain: boolean;
  readonly unit: string | undefined;
}

/** More than any page shows, few enough that one request holds nobody up. */
export const MOST_ITEMS = 10_000;
export const MOST_CHOICES = 100;

export function parseChoose(body: unknown): ChooseRequest {
  const { items, k = 1, explain = false, unit } = check.fields("", body, ["items", "k", "explain", "unit"]);
  return {
    items: parseItems(items),
    k: check.whole("k", k, 1, MOST_CHOICES),
    explain: check.flag("explain", explain),
    unit: parseUnit(unit),
  };
}

export function parseReward(body: unknown): { readonly id: string; readonly reward: number } {
  const { id, reward } = check.fields("", body, ["id", "reward"]);
  return { id: check.text("id", id), reward: check.real("reward", reward) };
}

export interface ObserveRequest {
  readonly items: readonly unknown[];
  readonly index: number;
  readonly reward: number;
}

export function parseObserve(body: unknown): ObserveRequest {
  const given = check.fields("", body, ["items", "index", "reward"]);
  const items = parseItems(given.items);
  return {
    items,
    index: check.whole("index", given.index, 0, items.length - 1),
    reward: check.real("reward", given.reward),
  };
}

export interface WatchRequest {
  readonly items: readonly unknown[];
  readonly index: number;
  readonly options: { readonly propensities?: readonly number[]; readonly unit?: string };
}

export function parseWatch(body: unknown): WatchRequest {
  const given = check.fields("", body, ["items", "index", "propensities", "unit"]);
  const items = parseItems(given.items);
  const unit = parseUnit(given.unit);
  const { propensities } = given;
  return {
    items,
    index: check.whole("index", given.index, 0, items.length - 1),
    options: {
      // Checked by the peer, which knows how they must add up.
      ...(propensities !== undefined && {
        propensities: check.list("propensities", propensities) as readonly number[],
      }),
      ...(unit !== undefined && { unit }),
    },
  };
}

const parseUnit = (value: unknown): string | undefined => (value === undefined ? undefined : check.text("unit", value));

function parseItems(value: unknown): readonly unknown[] {
  const items = check.list("items", value);
  check.whole("items.length", items.length, 1, MOST_ITEMS);
  return items;
}
