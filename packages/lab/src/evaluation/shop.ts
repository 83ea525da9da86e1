import type { ChoiceEntry, LogEntry, Random } from "@coterie/core";
import type { LoggedItem } from "@coterie/core/internal";

export const ITEMS = 5;
const MENUS = 40;
const FEATURES = 6;
/** The logging policy's; 0.04 for each item. */
const FLOOR = 0.2;

export interface ShopMenu {
  /** [item][feature], each item within the unit ball. */
  readonly items: readonly (readonly number[])[];
  /** The chance of a click on each item. */
  readonly clicks: readonly number[];
  /** As a log has them. */
  readonly logged: readonly LoggedItem[];
}

/**
 * A made-up shop: 40 menus of 5 items, alike often. A click on x has the chance 1/2 + x·θ/2 − (x·η)²/2, cut to [0.02, 0.98]: not
 * linear in x, so that the doubly robust estimator's model is wrong. With finitely many menus every value is an exact sum.
 */
export class Shop {
  readonly menus: readonly ShopMenu[];
  /** What the logging policy takes for the best: by a taste that is not quite θ. */
  readonly usual: readonly number[];

  constructor(random: Random) {
    const [theta, eta, belief] = ["theta", "eta", "belief"].map((name) => direction(random.fork(name)));
    const draws = random.fork("items");
    this.menus = Array.from({ length: MENUS }, (_, menu) => {
      const items = Array.from({ length: ITEMS }, () => direction(draws));
      const clicks = items.map((x) => clip(0.5 + 0.5 * dot(x, theta!) - dot(x, eta!) ** 2 / 2));
      const named = (x: readonly number[]): [string, number][] => x.map((value, i) => [`x${i}`, value]);
      const logged = items.map((x) => ({ name: `menu ${menu}`, x: Object.fromEntries(named(x)) }));
      return { items, clicks, logged };
    });
    this.usual = this.menus.map(({ items }) => best(items.map((x) => dot(x, theta!) + 0.5 * dot(x, belief!))));
  }

  /** E[r] of a policy that is a distribution for each menu. */
  value(probabilities: (menu: number) => readonly number[]): number {
    const values = this.menus.map(({ clicks }, menu) => dot(probabilities(menu), clicks));
    return values.reduce((sum, value) => sum + value, 0) / MENUS;
  }

  /** The menu that a logged choice was made from. */
  menuOf({ items }: ChoiceEntry): number {
    return Number(items[0]!.name!.slice("menu ".length));
  }

  /** A log of the fixed policy: the usual item with 1 − floor, else any. */
  log(choices: number, random: Random): LogEntry[] {
    return Array.from({ length: choices }, (_, k) => this.#visit(`${k}`, random)).flat();
  }

  #visit(id: string, random: Random): LogEntry[] {
    const menu = random.below(MENUS);
    const { items, clicks, logged } = this.menus[menu]!;
    const usual = this.usual[menu]!;
    const chosen = random.uniform() < FLOOR ? random.below(ITEMS) : usual;
    const propensities = items.map((_, item) => FLOOR / ITEMS + (item === usual ? 1 - FLOOR : 0));
    const head = { version: 1, id, at: 0 } as const;
    const choice: ChoiceEntry = {
      ...head,
      kind: "choice",
      items: logged,
      chosen,
      propensity: propensities[chosen]!,
      propensities,
    };
    return [choice, { ...head, kind: "reward", reward: random.uniform() < clicks[chosen]! ? 1 : 0 }];
  }
}

/** A random point of the unit sphere. */
function direction(random: Random): number[] {
  const x = Array.from({ length: FEATURES }, () => random.normal());
  const length = Math.sqrt(dot(x, x));
  return x.map((value) => value / length);
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
export const best = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));
const clip = (value: number): number => Math.min(0.98, Math.max(0.02, value));
