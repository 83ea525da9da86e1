import { Random } from "../../numbers/random.ts";
import { type ChoiceEntry, LOG_VERSION, type LogEntry } from "../entry.ts";

/** A shop whose truth is known: four menus of three items, shown alike often, and the chance of a click on each item. */
const NAMES: readonly (readonly string[])[] = [
  ["tea", "cup", "pot"],
  ["cup", "tea", "jam"],
  ["jam", "pot", "tea"],
  ["pot", "cup", "jam"],
];
const CLICKS = [
  [0.2, 0.5, 0.7],
  [0.4, 0.3, 0.9],
  [0.8, 0.6, 0.1],
  [0.5, 0.2, 0.6],
] as const;
/** What the shop shows where it does not explore: good, not best. */
const USUAL = [1, 2, 1, 0] as const;

/** Items know their name and a price; what they earn is not linear in that. */
const itemOf = (name: string, place: number) => ({
  name,
  x: { bias: 0.5, [`is=${name}`]: 0.5, price: (place + 1) / 6 },
});

export interface ShopOptions {
  readonly choices: number;
  readonly seed: number;
  /** With this probability any item is shown. */
  readonly floor?: number;
}

/** So many visits: a choice, and at once its reward. */
export function visits({ choices, seed, floor = 0.3 }: ShopOptions): LogEntry[] {
  const random = Random.seeded(seed);
  return Array.from({ length: choices }, (_, k): LogEntry[] => {
    const menu = random.below(NAMES.length);
    const explored = random.uniform() < floor;
    const chosen = explored ? random.below(3) : USUAL[menu]!;
    const propensities = [0, 1, 2].map((item) => floor / 3 + (item === USUAL[menu] ? 1 - floor : 0));
    const head = { version: LOG_VERSION, id: `visit ${k}`, at: 1000 * k } as const;
    const choice: ChoiceEntry = {
      ...head,
      kind: "choice",
      items: NAMES[menu]!.map(itemOf),
      chosen,
      propensity: floor === 0 ? null : propensities[chosen]!,
      ...(floor > 0 && { propensities }),
    };
    return [choice, { ...head, kind: "reward", reward: random.uniform() < CLICKS[menu]![chosen]! ? 1 : 0 }];
  }).flat();
}

/** E[r] of a policy by its probabilities for each menu; menus where it has none do not count. */
export function worthOf(probabilities: (menu: number) => readonly number[] | null): number {
  let sum = 0;
  let menus = 0;
  for (const [menu, clicks] of CLICKS.entries()) {
    const pi = probabilities(menu);
    if (pi === null) continue;
    menus += 1;
    for (const [item, click] of clicks.entries()) sum += pi[item]! * click;
  }
  return sum / menus;
}

export const always = (item: string) => (menu: number) => {
  const place = NAMES[menu]!.indexOf(item);
  return place === -1 ? null : [0, 1, 2].map((other) => (other === place ? 1 : 0));
};
