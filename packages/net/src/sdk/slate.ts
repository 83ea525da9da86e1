import { check } from "@coterie/core";
import type { Choice } from "./choice.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import type { ChooseOptions } from "./chooseOptions.ts";

/** What may be said of a slate. */
export type SlateOptions<T = never, X = undefined> = ChooseOptions<T, X> & {
  /** How many places it has; fewer are filled where there are fewer items. */
  readonly k: number;
};

/** What a slate needs of the peer that made it. */
export interface SlateOwner {
  shown(slate: ChoiceId, places: number): void;
  cancel(slate: ChoiceId): void;
}

/**
 * Several items, best first, for a list that somebody may or may not look at. What nobody has seen teaches nothing: tell how
 * many were with `shown`. A reward says that its item was seen.
 */
export class Slate<out T, out C> {
  /** Good for `peer.shown` and `peer.cancel`, also after a restart. */
  readonly id: ChoiceId;
  readonly choices: readonly Choice<T, C>[];
  readonly #stage: SlateOwner;

  /** @internal */
  constructor(choices: readonly Choice<T, C>[], stage: SlateOwner) {
    this.id = choices[0].id;
    this.choices = choices;
    this.#stage = stage;
  }

  /** The items by themselves, best first. */
  get items(): T[] {
    return this.choices.map(({ item }) => item);
  }

  /** Good for `peer.shownToken` and `peer.cancelToken` at every worker of the app; rewards its first choice too. */
  get token(): string {
    return this.choices[0].token;
  }

  /** When it resolves, the slate survives a crash, and so its tokens are good afterwards. */
  saved(): Promise<void> {
    return this.choices[0].saved();
  }

  /**
   * The first `places` were seen, all when left out: from now on they wait for a reward as any choice does, and get the
   * fallback where none comes. May be called again when more were seen; fewer than before changes nothing.
   */
  shown(places: number = this.choices.length): void {
    this.#stage.shown(this.id, check.whole("places", places, 0, this.choices.length));
  }

  /** Whatever was not seen by now never will be: it teaches nothing, and a reward for it is answered `cancelled`. */
  cancel(): void {
    this.#stage.cancel(this.id);
  }
}
