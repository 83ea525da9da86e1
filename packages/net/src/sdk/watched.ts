import type { Waiting } from "../link/wait.ts";
import type { Maker } from "./choice.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import type { Watching } from "./choices.ts";
import type { Situation } from "./chooseOptions.ts";
import type { RewardAnswer } from "./settling.ts";

/** What is known of the app's choice. */
export type WatchOptions<X = undefined> = Situation<X> & {
  /** With which probability the app would have chosen each item. With them a log can tell what this peer would have earned. */
  readonly propensities?: readonly number[];
  /** For whom it was made; only logged. */
  readonly unit?: string | undefined;
};

/** A choice of the app's, watched: it waits for its reward. */
export class Watched {
  /** Good for `peer.reward`, also after a restart. */
  readonly id: ChoiceId;
  /** The place of the item that this peer would have chosen. */
  readonly wouldChoose: number;
  readonly #expires: number;
  readonly #maker: Pick<Maker, "reward" | "token">;

  /** @internal */
  constructor({ id, would, expires }: Watching, maker: Pick<Maker, "reward" | "token">) {
    this.id = id;
    this.wouldChoose = would;
    this.#expires = expires;
    this.#maker = maker;
  }

  /** Names it to every worker of the app, as that of a choice does. */
  get token(): string {
    return this.#maker.token(this.id, this.#expires);
  }

  /** Learns what the app's choice was worth. When the promise resolves, that survives a crash. */
  reward(value: number, waiting?: Waiting): Promise<RewardAnswer> {
    return this.#maker.reward(this.id, value, waiting);
  }
}

/** The app's probabilities of the items that could be encoded. The others can only be told of if they had none. */
export function ofArms(propensities: readonly number[], places: readonly number[] | null): readonly number[] | null {
  if (places === null) return propensities;
  const kept = places.map((place) => propensities[place]);
  const lost = propensities.reduce((sum, each) => sum + each, 0) - kept.reduce((sum, each) => sum + each, 0);
  return Math.abs(lost) < 1e-9 ? kept : null;
}
