import { normalReach } from "../numbers/normal.ts";
import { between } from "../options.ts";
import type { LogEntry } from "./entry.ts";
import { type Estimate, meanOf } from "./estimators.ts";
import { Evaluator } from "./evaluator.ts";
import { Joiner } from "./join.ts";
import { OverlapError } from "./overlap.ts";
import type { LogShape } from "./survey.ts";
import { Survey } from "./survey.ts";
import type { TargetReport } from "./tally.ts";
import { compact, Units } from "./units.ts";

/** What a peer in shadow mode would have done, beside what the app did. */
export interface ShadowReport {
  /** Rewarded choices of the app that the peer watched. */
  readonly choices: number;
  /** The share in which the peer would have chosen the same item. */
  readonly agreed: number;
  /** What the app earned per choice, in all of them and where both agreed. Where they agreed is no fair sample of the rest. */
  readonly earned: Estimate;
  readonly earnedWhereAgreed: Estimate | null;
  /** What the peer would have earned; null where the log cannot tell, and then why. */
  readonly would: TargetReport | null;
  readonly why: string | null;
  readonly confidence: number;
}

interface Paid {
  readonly rewards: number[];
  readonly units: number[];
}

/** Gathers a shadow's log in a second pass, entry by entry. */
export class ShadowTally {
  readonly #joiner = new Joiner();
  readonly #evaluator: Evaluator;
  readonly #units = new Units();
  readonly #all: Paid = { rewards: [], units: [] };
  readonly #agreed: Paid = { rewards: [], units: [] };

  constructor(shape: LogShape) {
    this.#evaluator = new Evaluator(shape, ["shadow"]);
  }

  add(entry: LogEntry): void {
    this.#evaluator.add(entry);
    const joined = this.#joiner.add(entry);
    const reward = joined?.outcome?.reward ?? null;
    if (joined === null || reward === null || joined.choice.would === undefined) return;
    const same = joined.choice.would === joined.choice.chosen;
    for (const paid of same ? [this.#all, this.#agreed] : [this.#all]) {
      paid.rewards.push(reward);
      paid.units.push(this.#units.of(joined.choice));
    }
  }

  report(confidence = 0.95): ShadowReport {
    const reach = normalReach(between("confidence", confidence, 0, 1));
    const [all, agreed] = [this.#all, this.#agreed].map(({ rewards }) => rewards.length) as [number, number];
    const mean = ({ rewards, units }: Paid): Estimate => meanOf(rewards, compact(units), reach);
    if (all === 0) {
      throw new OverlapError("shadow", 0, 0, "watch", "it has no rewarded choice that a peer in shadow mode watched");
    }
    return {
      choices: all,
      agreed: agreed / all,
      earned: mean(this.#all),
      earnedWhereAgreed: agreed === 0 ? null : mean(this.#agreed),
      ...this.#would(confidence),
      confidence,
    };
  }

  #would(confidence: number): Pick<ShadowReport, "would" | "why"> {
    try {
      return { would: this.#evaluator.report(confidence).targets[0]!, why: null };
    } catch (error) {
      if (error instanceof OverlapError) return { would: null, why: error.message };
      throw error;
    }
  }
}

/** The whole of a log in memory at once. */
export function shadowReport(log: readonly LogEntry[], confidence?: number): ShadowReport {
  const survey = new Survey();
  for (const entry of log) survey.add(entry);
  const tally = new ShadowTally(survey);
  for (const entry of log) tally.add(entry);
  return tally.report(confidence);
}
