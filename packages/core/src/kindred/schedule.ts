import type { Reader, Writer } from "../numbers/bytes.ts";

/** In this many rounds a peer calls two others. A real newcomer's clock ticks sooner instead (net/src/node/ticks.ts). */
const EARLY = 30;
/** Exchanges are due every 1 + round/PAUSE rounds: news grows by a factor, so it grows rarer. */
const PAUSE = 100;
/** Where less than this share of what there was to learn is left, they are due as many times rarer. */
const SURE = 0.02;
/** But never rarer than every 1 + round/LEAST_PAUSE rounds. */
const LEAST_PAUSE = 1;
/** Every 1 + round/WIDE rounds a greeting speaks of all records, not of kin alone. */
const WIDE = 16;
/** The population is fitted anew every 1 + round/REFIT rounds. */
const REFIT = 4;
/** Records are placed anew in rounds that are a multiple of 1 + round/TIDY, rounded down. */
const TIDY = 40;
/** Groups are made afresh every 1 + round/REGROUP rounds. */
const REGROUP = 2;

/** How many others a peer calls in `round`: everybody knows least in the first rounds, and a record that comes late costs most there. */
export const callsIn = (round: number): number => (round <= EARLY ? 2 : 1);

/** When a peer exchanges, asks for all that it wants, fits the population, makes groups afresh: each rarer as rounds go on. */
export class Schedule {
  /** Whether an exchange is due this round. */
  due = true;
  /** Whether this round's greeting speaks of all records. */
  wide = true;
  /** The last round in which an exchange was due. */
  #exchanged = 0;
  #nextWide = 1;
  #nextFit = 1;
  #nextGroups = 2;

  /**
   * Plans the round after `round`; `lacking` is a reason to ask for everything whatever the round, `left` the share of
   * what a peer wants to know that it does not know yet.
   */
  plan(round: number, lacking: boolean, left: number): void {
    if (this.due) this.#exchanged = round;
    // Anew each round: whoever finds that it knows less than it thought shall not have to wait.
    this.due = round + 1 >= after(this.#exchanged, Math.max(LEAST_PAUSE, PAUSE * Math.min(1, left / SURE)));
    if (this.wide) this.#nextWide = after(round, WIDE);
    this.wide = lacking || round + 1 >= this.#nextWide;
  }

  /** Whether the population is to be fitted in `round`; if so, the next time is planned. */
  fits(round: number): boolean {
    if (round < this.#nextFit) return false;
    this.#nextFit = after(round, REFIT);
    return true;
  }

  /** Whether records are to be placed anew in `round`. It follows from the round alone: the state need not hold it. */
  tidies(round: number): boolean {
    return round % (1 + Math.floor(round / TIDY)) === 0;
  }

  /** Whether groups are to be made afresh in `round`; if so, the next time is planned. */
  regroups(round: number): boolean {
    if (round < this.#nextGroups) return false;
    this.#nextGroups = after(round, REGROUP);
    return true;
  }

  write(out: Writer): void {
    out.f64(this.#nextFit);
    out.f64(this.#nextGroups);
    out.f64(this.#exchanged);
    out.f64(this.#nextWide);
    out.u8((this.due ? 1 : 0) + (this.wide ? 2 : 0));
  }

  read(from: Reader): void {
    this.#nextFit = from.f64("schedule");
    this.#nextGroups = from.f64("schedule");
    this.#exchanged = from.f64("schedule");
    this.#nextWide = from.f64("schedule");
    const flags = from.u8("schedule");
    this.due = (flags & 1) !== 0;
    this.wide = (flags & 2) !== 0;
  }
}

const after = (round: number, pace: number): number => round + 1 + Math.floor(round / pace);
