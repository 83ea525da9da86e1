import type { Contributions, Features } from "../features/features.ts";
import type { Waiting } from "../link/wait.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import type { Decision } from "./choices.ts";
import { type Explanation, explain } from "./explain.ts";
import type { RewardAnswer } from "./settling.ts";

/** What a choice needs of the peer that made it. */
export interface Maker {
  readonly features: Features<never, Contributions, never>;
  /** What the learner's 1 is in the app's unit of reward. */
  readonly unit: number;
  reward(id: ChoiceId, value: number, waiting?: Waiting): Promise<RewardAnswer>;
  token(id: ChoiceId, expires: number): string;
  saved(): Promise<void>;
}

/** One of the caller's items, chosen. `T` is the caller's own type; `C` how a score is explained. */
export class Choice<out T, out C> {
  readonly item: T;
  /** Its place in the list that was offered. */
  readonly index: number;
  /** Good for `peer.reward`, also after a restart. */
  readonly id: ChoiceId;
  /** The probability with which this item was chosen; null where it was certain, or where the policy does not tell. */
  readonly propensity: number | null;
  readonly #decision: Decision;
  readonly #maker: Maker;

  /** @internal */
  constructor(item: T, decision: Decision, maker: Maker) {
    this.item = item;
    this.index = decision.index;
    this.id = decision.id;
    this.propensity = decision.propensity;
    this.#decision = decision;
    this.#maker = maker;
  }

  /**
   * Names this choice to every worker of the app: good for `peer.rewardToken` at any of them that has the same `reward.secret`,
   * and safe in the hands of strangers. Who holds it can reward the choice once, and nothing else.
   */
  get token(): string {
    return this.#maker.token(this.id, this.#decision.expires);
  }

  /** Resolves when the choice survives a crash. Until then its token may come to nothing with this process. */
  saved(): Promise<void> {
    return this.#maker.saved();
  }

  /** Learns what it was worth. When the promise resolves, that survives a crash. */
  reward(value: number, waiting?: Waiting): Promise<RewardAnswer> {
    return this.#maker.reward(this.id, value, waiting);
  }

  /** Why this one: from what the peer believed when it chose, whatever it has learnt since. */
  explain(): Explanation<C> {
    return explain<C>(this.#decision, this.#maker.features, this.#maker.unit);
  }
}
