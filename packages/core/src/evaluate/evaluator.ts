import { normalReach } from "../numbers/normal.ts";
import { between } from "../options.ts";
import type { ChoiceEntry, LogEntry, OutcomeEntry } from "./entry.ts";
import { type Estimate, meanOf } from "./estimators.ts";
import { MenuReader } from "./menu.ts";
import { RewardModel } from "./rewardModel.ts";
import type { LogShape } from "./survey.ts";
import { type Judged, type TargetReport, TargetTally } from "./tally.ts";
import { createTarget, type Target, type TargetSpec } from "./targets.ts";
import { compact, Units } from "./units.ts";

/** What a log says. */
export interface Evaluation {
  /** Choices in the log. */
  readonly choices: number;
  /** Those with a reward: the app's, or the fallback of those that expired. */
  readonly rewarded: number;
  /** Those that expired without one, those that still wait, and outcomes of choices that are not in the log. */
  readonly unrewarded: number;
  readonly waiting: number;
  readonly strangers: number;
  /** Of how many units. */
  readonly units: number;
  /** The reward per choice, as it was. Null where no choice was rewarded. */
  readonly earned: Estimate | null;
  readonly targets: readonly TargetReport[];
  readonly confidence: number;
}

/** A choice whose outcome is not known yet. */
interface Unsettled {
  readonly arm: Float64Array;
  readonly predicted: number;
  /** What its reward counts in the model. */
  readonly weight: number;
  readonly judged: readonly (Judged | null)[];
  readonly unit: number;
}

/**
 * The second pass over a log, entry by entry; keeps a few numbers for each choice, and arms only of those that wait.
 *
 * The model predicts the rewards of each choice from those that had come before it. So no reward predicts itself, ψ stays
 * unbiased also where the logging policy learned meanwhile, and a target that learns is judged by what it could have known.
 */
export class Evaluator {
  readonly #reader: MenuReader;
  readonly #model: RewardModel;
  readonly #targets: readonly Target[];
  readonly #tallies: readonly TargetTally[];
  readonly #waiting = new Map<string, Unsettled>();
  readonly #units = new Units();
  readonly #rewards: number[] = [];
  readonly #rewardUnits: number[] = [];
  readonly #unit: number;
  #choices = 0;
  #unrewarded = 0;
  #strangers = 0;

  constructor(shape: LogShape, targets: readonly TargetSpec[]) {
    this.#reader = new MenuReader(shape);
    const { dimension } = this.#reader;
    this.#model = new RewardModel(dimension);
    this.#targets = targets.map((spec) => createTarget(spec, shape, dimension));
    this.#tallies = this.#targets.map((target) => new TargetTally(target));
    this.#unit = shape.largest === 0 ? 1 : shape.largest;
  }

  add(entry: LogEntry): void {
    if (entry.kind === "choice") this.#choose(entry);
    else this.#settle(entry);
  }

  report(confidence = 0.95): Evaluation {
    const reach = normalReach(between("confidence", confidence, 0, 1));
    const units = compact(this.#rewardUnits);
    const rewarded = this.#rewards.length;
    return {
      choices: this.#choices,
      rewarded,
      unrewarded: this.#unrewarded,
      waiting: this.#waiting.size,
      strangers: this.#strangers,
      units: units.reduce((most, unit) => Math.max(most, unit + 1), 0),
      earned: rewarded === 0 ? null : meanOf(this.#rewards, units, reach),
      targets: this.#tallies.map((tally) => tally.report(reach)),
      confidence,
    };
  }

  #choose(entry: ChoiceEntry): void {
    const menu = this.#reader.read(entry);
    const { dimension } = this.#reader;
    // The model is in units of the largest reward, so that its ridge of 1 means the same for every app.
    const predicted = this.#model.predict(menu).map((value) => value * this.#unit);
    this.#choices += 1;
    this.#waiting.set(entry.id, {
      arm: menu.values.slice(entry.chosen * dimension, (entry.chosen + 1) * dimension),
      predicted: predicted[entry.chosen]!,
      weight: entry.propensity === null ? 1 : 1 / (menu.count * entry.propensity),
      judged: this.#tallies.map((tally) => tally.judge(menu, predicted)),
      unit: this.#units.of(entry),
    });
  }

  #settle({ id, reward }: OutcomeEntry): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      this.#strangers += 1;
      return;
    }
    this.#waiting.delete(id);
    if (reward === null) {
      this.#unrewarded += 1;
      return;
    }
    const { arm, predicted, weight, judged, unit } = waiting;
    this.#rewards.push(reward);
    this.#rewardUnits.push(unit);
    const learnt = reward / this.#unit;
    this.#model.observe(arm, learnt, weight);
    for (const [k, tally] of this.#tallies.entries()) {
      const one = judged[k];
      if (one) tally.add(one, predicted, reward, unit);
      this.#targets[k]!.learn?.(arm, learnt);
    }
  }
}
