import type { Random } from "@coterie/core";
import type { OwnClock, TickOutcome } from "./event.ts";

/** The first call of a newcomer comes within so long of the first partner it finds: until then it knows nothing. */
const FIRST_MS = 300;

/** A newcomer whom nobody answered calls again as soon, so often in all; then it waits as everybody does. */
const FIRST_CALLS = 3;

/**
 * Once it was answered it rests for a fifth of a period, then two fifths, and so on to a whole one: in its first seconds a
 * peer learns most, and a tab that waited for three periods would have lived half of its life alone.
 */
const EARLY_RESTS = 5;

/** A peer that has come and has not yet heard from anybody. */
interface Arrival {
  /** Where in its span of time the first tick lies, 0 to 1. */
  readonly place: number;
  calls: number;
  /** Is its call coming, or under way? */
  soon: boolean;
}

/**
 * When the peer's own clock ticks. Where records are passed on, a peer stays a newcomer until somebody has answered it,
 * and then closes the round at once, so that its next choice rests on what it was told. Where statistics are averaged
 * every round counts, and the clock goes on evenly from the first tick.
 */
export class Ticks {
  readonly #arrival: Arrival;
  /** Until it has called as often as a newcomer does, or was answered. */
  #isNew = true;
  /** The tick under way is a newcomer's. */
  #first = false;
  /** Rests since somebody answered the newcomer, up to the first whole one. */
  #rests = EARLY_RESTS;

  constructor(
    readonly clock: OwnClock,
    readonly random: Random,
    readonly ofRecords: boolean,
  ) {
    this.#arrival = { place: random.uniform(), calls: 0, soon: false };
  }

  /** The first tick comes anywhere within the first period: peers that start together do not tick together. */
  first(): number {
    return this.#arrival.place * this.clock.periodMs;
  }

  /** Whether a first call is still to come, and nobody has hastened it yet. */
  get waits(): boolean {
    return this.#isNew && !this.#arrival.soon;
  }

  /** There is somebody to meet: when the first call comes that need not wait for a whole period; null for no change. */
  hasten(): number | null {
    if (!this.#isNew || this.#arrival.soon || this.clock.periodMs <= FIRST_MS) return null;
    this.#arrival.soon = true;
    return this.#arrival.place * FIRST_MS;
  }

  /** A tick begins, in which somebody is called or nobody. */
  begin(calls: boolean): void {
    this.#arrival.soon = true;
    this.#first = this.#isNew && this.ofRecords;
    if (calls) this.#arrival.calls += 1;
    if (!this.ofRecords || this.#arrival.calls === FIRST_CALLS) this.#isNew = false;
  }

  /** What it came to; true where the round is to be closed at once. */
  end(outcome: TickOutcome): boolean {
    const answered = this.#first && outcome !== null;
    this.#first = false;
    if (!answered) return false;
    this.#isNew = false;
    this.#rests = 0;
    return true;
  }

  /** How long until the next. */
  rest(): number {
    this.#arrival.soon = false;
    const { periodMs, jitter } = this.clock;
    this.#rests = Math.min(EARLY_RESTS, this.#rests + 1);
    const share = this.#rests / EARLY_RESTS;
    return share * periodMs * (1 + jitter * (2 * this.random.uniform() - 1));
  }
}
