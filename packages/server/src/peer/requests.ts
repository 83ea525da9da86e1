import { ConfigError, check } from "@coterie/core";
import type { ChooseOptions } from "@coterie/net/internal";

/** What is said of a menu. The context is checked by the peer's features, as items are. */
type Menu = ChooseOptions<unknown, unknown>;

/** What callers ask for. Items are checked by the peer's features, rewards by their range. */
export interface ChooseRequest {
  readonly items: readonly unknown[];
  readonly k: number;
  readonly explain: boolean;
  readonly menu: Menu;
}

/** More than any page shows, few enough that one request holds nobody up. */
export const MOST_ITEMS = 10_000;
export const MOST_CHOICES = 100;

export function parseChoose(body: unknown): ChooseRequest {
  const given = check.fields("", body, ["items", "k", "explain", "context", "exclude", "unit"]);
  const { k = 1, explain = false } = given;
  const items = parseItems(given.items);
  return {
    items,
    k: check.whole("k", k, 1, MOST_CHOICES),
    explain: check.flag("explain", explain),
    menu: parseMenu(given, items.length),
  };
}

function parseMenu({ context, exclude, unit }: check.Fields, count: number): Menu {
  return {
    ...(context !== undefined && { context }),
    ...(exclude !== undefined && { exclude: parseExclude(exclude, count) }),
    ...(unit !== undefined && { unit: check.text("unit", unit) }),
  };
}

/** Functions do not travel: here it is the places of items. */
function parseExclude(value: unknown, count: number): (item: unknown, index: number) => boolean {
  const places = check.list("exclude", value).map((at, k) => check.whole(`exclude[${k}]`, at, 0, count - 1));
  const out = new Set(places);
  return (_, index) => out.has(index);
}

/** As for choosing, but how many places there are must be said. */
export function parseSlate(body: unknown): ChooseRequest {
  const request = parseChoose(body);
  check.whole("k", (body as check.Fields).k, 1, MOST_CHOICES);
  return request;
}

/** What is asked of items that nobody chooses among. */
export function parseScore(body: unknown): Omit<ChooseRequest, "k"> {
  check.fields("", body, ["items", "explain", "context", "exclude"]);
  return parseChoose(body);
}

/** How many pending choices to list. */
const MOST_LISTED = 10_000;

export function parseMost(text: string | undefined): number {
  return text === undefined ? 100 : check.whole("most", text === "" ? text : Number(text), 1, MOST_LISTED);
}

/** What is spoken of: a choice or a slate of this peer by its id, or one of any worker by its token. */
type Named<Id extends string> = { readonly [K in Id | "token"]?: string };

export function parseShown(body: unknown): Named<"slate"> & { readonly places: number } {
  const given = check.fields("", body, ["slate", "token", "places"]);
  return { ...named(given, "slate"), places: check.whole("places", given.places, 0) };
}

export const parseCancel = (body: unknown): Named<"slate"> =>
  named(check.fields("", body, ["slate", "token"]), "slate");

export function parseReward(body: unknown): Named<"id"> & { readonly reward: number } {
  const given = check.fields("", body, ["id", "token", "reward"]);
  return { ...named(given, "id"), reward: check.real("reward", given.reward) };
}

function named<Id extends string>(given: check.Fields, id: Id): Named<Id> {
  const { token } = given;
  if (token === undefined) return { [id]: check.text(id, given[id]) } as Named<Id>;
  if (given[id] !== undefined) throw new ConfigError("token", token, `not be combined with ${id}`);
  return { token: check.text("token", token) } as Named<Id>;
}

export interface ObserveRequest {
  readonly items: readonly unknown[];
  readonly index: number;
  readonly reward: number;
  readonly options: { readonly context?: unknown };
}

export function parseObserve(body: unknown): ObserveRequest {
  const given = check.fields("", body, ["items", "index", "reward", "context"]);
  const items = parseItems(given.items);
  return {
    items,
    index: check.whole("index", given.index, 0, items.length - 1),
    reward: check.real("reward", given.reward),
    options: given.context === undefined ? {} : { context: given.context },
  };
}

export interface WatchRequest {
  readonly items: readonly unknown[];
  readonly index: number;
  readonly options: { readonly propensities?: readonly number[]; readonly unit?: string; readonly context?: unknown };
}

export function parseWatch(body: unknown): WatchRequest {
  const given = check.fields("", body, ["items", "index", "propensities", "unit", "context"]);
  const items = parseItems(given.items);
  const { propensities, unit, context } = given;
  return {
    items,
    index: check.whole("index", given.index, 0, items.length - 1),
    options: {
      // Checked by the peer, which knows how they must add up.
      ...(propensities !== undefined && {
        propensities: check.list("propensities", propensities) as readonly number[],
      }),
      ...(unit !== undefined && { unit: check.text("unit", unit) }),
      ...(context !== undefined && { context }),
    },
  };
}

function parseItems(value: unknown): readonly unknown[] {
  const items = check.list("items", value);
  check.whole("items.length", items.length, 1, MOST_ITEMS);
  return items;
}
