import type { Warning } from "../features/warnings.ts";
import type { Pending } from "./choiceEntries.ts";

/** Rewards above the fallback, one after the other from the start, that make it suspicious. */
const RUN = 30;

/**
 * Finds an app that rewards what was liked at once and leaves the rest to the fallback, which comes only when `reward.timeoutMs`
 * is over. Until then every reward that the peer has seen is a good one: all items look alike, and those that nobody likes look
 * the least explored.
 */
export class OneSided {
  #paid = 0;
  #ended = false;

  /** Something was learnt; a warning where it is time for one, once at most. */
  learnt(value: number, fallback: number | null, pending: Iterable<Pending>): Warning | null {
    if (this.#ended || fallback === null) return null;
    this.#paid += 1;
    if (value > fallback && this.#paid < RUN) return null;
    this.#ended = true;
    if (value <= fallback) return null;
    let waiting = 0;
    for (const { unseen } of pending) if (unseen === undefined) waiting += 1;
    return waiting < RUN ? null : warning(fallback, waiting);
  }
}

const warning = (fallback: number, waiting: number): Warning => ({
  features: [],
  message:
    `each of the first ${RUN} rewards is above the fallback ${fallback}, and ${waiting} choices that were seen wait until reward.timeoutMs for it. ` +
    "Until then this peer knows only what was liked, and cannot tell it from the rest. " +
    `Reward with ${fallback} as soon as the app knows that nothing comes. See docs/guides/slates.md`,
});
