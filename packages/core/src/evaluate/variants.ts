import { ConfigError } from "../errors.ts";
import { normalReach } from "../numbers/normal.ts";
import { between } from "../options.ts";
import type { ChoiceEntry, LogEntry } from "./entry.ts";
import { difference, type Estimate, meanOf } from "./estimators.ts";
import { Joiner } from "./join.ts";
import { Units } from "./units.ts";

/** One side of an A/B test. */
export interface VariantReport {
  readonly variant: string;
  /** Rewarded choices, and the units that they were made for. */
  readonly choices: number;
  readonly units: number;
  /** Reward per choice. */
  readonly earned: Estimate;
  /** By how much that is more than the first variant earned; null for the first. */
  readonly difference: Estimate | null;
}

/** What an A/B test came to. */
export interface VariantsReport {
  readonly variants: readonly VariantReport[];
  readonly confidence: number;
  /** What speaks against these numbers; empty where nothing does. */
  readonly notes: readonly string[];
}

interface Side {
  readonly rewards: number[];
  readonly units: number[];
  readonly numbers: Units;
}

/**
 * Gathers an A/B test, entry by entry. A variant's reward per choice is Σr / n over its choices; keys were assigned and not
 * choices, so the error counts units. The units of two variants are independent.
 */
export class VariantsTally {
  readonly #joiner = new Joiner();
  readonly #sides = new Map<string, Side>();
  readonly #mixed = new Set<string>();
  readonly #owners = new Map<string, string>();
  #withoutUnit = 0;

  add(entry: LogEntry): void {
    const joined = this.#joiner.add(entry);
    const reward = joined?.outcome?.reward ?? null;
    if (joined === null || reward === null) return;
    const { variant } = joined.choice;
    if (variant !== undefined) this.#take(joined.choice, variant, reward);
  }

  /** `control` is the variant that the others are compared with; the first by name when left out. */
  report({
    confidence = 0.95,
    control,
  }: {
    readonly confidence?: number;
    readonly control?: string;
  } = {}): VariantsReport {
    const reach = normalReach(between("confidence", confidence, 0, 1));
    const names = [...this.#sides.keys()].sort();
    if (names.length < 2) throw new ConfigError("variants in the log", names.join(", ") || "none", "be at least two");
    const first = control ?? names[0]!;
    const base = this.#sides.get(first);
    if (base === undefined) throw new ConfigError("control", control, `be one of ${names.join(", ")}`);
    const baseline = meanOf(base.rewards, base.units, reach);
    const variants = [first, ...names.filter((name) => name !== first)].map((variant): VariantReport => {
      const { rewards, units, numbers } = this.#sides.get(variant)!;
      const earned = meanOf(rewards, units, reach);
      const over = variant === first ? null : difference(earned, baseline, reach);
      return { variant, choices: rewards.length, units: numbers.count, earned, difference: over };
    });
    return { variants, confidence, notes: this.#notes(variants) };
  }

  #take(choice: ChoiceEntry, variant: string, reward: number): void {
    const { unit } = choice;
    const side: Side = this.#sides.get(variant) ?? { rewards: [], units: [], numbers: new Units() };
    this.#sides.set(variant, side);
    if (unit === undefined) this.#withoutUnit += 1;
    else if ((this.#owners.get(unit) ?? variant) !== variant) this.#mixed.add(unit);
    else this.#owners.set(unit, variant);
    side.rewards.push(reward);
    side.units.push(side.numbers.of(choice));
  }

  #notes(variants: readonly VariantReport[]): string[] {
    const notes: string[] = [];
    if (this.#mixed.size > 0)
      notes.push(`${this.#mixed.size} units met more than one variant: they blur the difference`);
    if (this.#withoutUnit > 0)
      notes.push(`${this.#withoutUnit} choices name no unit: each counts as one, and intervals may be too narrow`);
    const all = variants.reduce((sum, { units }) => sum + units, 0);
    const share = 1 / variants.length;
    for (const { variant, units } of variants) {
      // Beyond four deviations of a binomial something else than chance divides the units.
      if (Math.abs(units - all * share) > 4 * Math.sqrt(all * share * (1 - share)))
        notes.push(
          `${variant} has ${units} of ${all} units where ${Math.round(all * share)} are expected: assignment or logging is skewed`,
        );
    }
    return notes;
  }
}

/** The whole of a log in memory at once. */
export function compareVariants(
  log: Iterable<LogEntry>,
  options?: { readonly confidence?: number; readonly control?: string },
): VariantsReport {
  const tally = new VariantsTally();
  for (const entry of log) tally.add(entry);
  return tally.report(options);
}
