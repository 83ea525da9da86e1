import { Statistics } from "../bandit/statistics.ts";
import { addIdentity } from "../numbers/packed.ts";
import { oneOf } from "../options.ts";
import { Slots } from "./slots.ts";

/** One slot a round (the paper), or one an epoch, so that an exchange carries a single slot. */
export type BufferKind = "slots" | "epoch";

export const parseBufferKind = (field: string, value: unknown): BufferKind =>
  value === undefined ? "slots" : oneOf(field, value, ["slots", "epoch"]);

/** What waits to be promoted: mixed with partners meanwhile, and not used for choosing. */
export interface Buffer {
  /** The part that is mixed and sent. */
  readonly shared: Slots;
  /** How many slots it holds. */
  readonly held: number;
  /** Takes in the sums of a round as the newest slot. */
  append(round: number, observed: Statistics): void;
  /** Every slot becomes zero; the observations in them are given up. */
  clear(): void;
  /** After a prune: cleared, and the newest slot (of this round) holds `local` and `identity` · I. */
  reset(round: number, local: Statistics, identity: number): void;
  /** Dates what waits as of `round`; nothing is lost or promoted. */
  redate(round: number): void;
  /** Adds what has waited longer than `limit` rounds, times `weight`, to `active`. True if something was added. */
  promote(active: Statistics, limit: number, weight: number): boolean;
  /** out += the peer's own observations that wait here, unmixed (only where `own` was asked for). */
  addOwn(out: Statistics): void;
}

/** A queue of one slot a round (algorithms.md, section 3). */
export class RoundBuffer implements Buffer {
  readonly shared: Slots;
  /** What the peer itself put into each slot, unmixed; kept only for `bridge`. */
  readonly own: OwnSlots | null;

  constructor(dimension: number, own: boolean) {
    this.shared = new Slots(dimension);
    this.own = own ? new OwnSlots(dimension) : null;
  }

  get held(): number {
    return this.shared.length;
  }

  append(round: number, observed: Statistics): void {
    this.shared.append(round, observed);
    this.own?.append(round, observed);
  }

  clear(): void {
    this.shared.clearAll();
    this.own?.clearAll();
  }

  reset(round: number, local: Statistics, identity: number): void {
    this.clear();
    this.append(round, local);
    addIdentity(this.shared.values, this.shared.offset(this.shared.length - 1), local.dimension, identity);
  }

  redate(round: number): void {
    this.shared.redate(round);
    this.own?.slots.redate(round);
  }

  promote(active: Statistics, limit: number, weight: number): boolean {
    if (this.shared.length <= limit) return false;
    // One slot a round is enough while L(t) never falls; it falls only where peers leave.
    while (this.shared.length > limit) {
      this.shared.addTo(active, 0, weight);
      this.shared.dropOldest();
      this.own?.dropOldest();
    }
    return true;
  }

  addOwn(out: Statistics): void {
    if (this.own !== null) out.addAll(this.own.total);
  }
}

/** Own observations by slot, with their total kept up to date so that a round need not add up the whole queue. */
export class OwnSlots {
  readonly slots: Slots;
  readonly total: Statistics;
  /** Slots taken off the total since it was last added up; subtraction leaves a rounding error behind. */
  dropped = 0;

  constructor(dimension: number) {
    this.slots = new Slots(dimension);
    this.total = new Statistics(dimension);
  }

  append(round: number, observed: Statistics): void {
    this.slots.addTo(this.total, this.slots.append(round, observed), 1);
  }

  clearAll(): void {
    this.slots.clearAll();
    this.total.clear();
  }

  dropOldest(): void {
    if (this.slots.count(0) > 0) this.slots.addTo(this.total, 0, -1);
    this.slots.dropOldest();
    this.dropped += 1;
    if (this.dropped < 64) return;
    this.dropped = 0;
    this.total.clear();
    for (let position = 0; position < this.slots.length; position++) this.slots.addTo(this.total, position, 1);
  }
}

/**
 * Two slots: *open* gathers own observations, *closed* (the last epoch) is mixed every round (algorithms.md, section 7).
 * Every ⌈L(t)⌉ rounds closed is promoted and open takes its place.
 */
export class EpochBuffer implements Buffer {
  readonly shared: Slots;
  readonly open: Statistics;
  /** What the peer itself put into closed, unmixed; kept only for `bridge`. */
  readonly ownClosed: Statistics | null;
  /** Rounds gathered in open so far. */
  age = 0;
  readonly held = 2;

  constructor(dimension: number, own: boolean) {
    this.shared = new Slots(dimension, 1);
    this.shared.push(0);
    this.open = new Statistics(dimension);
    this.ownClosed = own ? new Statistics(dimension) : null;
  }

  append(_round: number, observed: Statistics): void {
    this.open.addAll(observed);
    this.age += 1;
  }

  clear(): void {
    this.shared.clear(0);
    this.ownClosed?.clear();
    this.open.clear();
  }

  reset(_round: number, local: Statistics, identity: number): void {
    this.clear();
    this.open.copyFrom(local);
    addIdentity(this.open.slot, 0, local.dimension, identity);
    this.age += 1;
  }

  /** Both slots stay as they are, so that what is own stays told apart; only the date of the closed one moves. */
  redate(round: number): void {
    this.shared.newestRound = round;
  }

  promote(active: Statistics, limit: number, weight: number): boolean {
    if (this.age < Math.ceil(limit)) return false;
    this.shared.addTo(active, 0, weight);
    this.shared.values.set(this.open.slot);
    this.shared.setCount(0, this.open.count);
    this.shared.newestRound += this.age;
    this.ownClosed?.copyFrom(this.open);
    this.open.clear();
    this.age = 0;
    return true;
  }

  addOwn(out: Statistics): void {
    if (this.ownClosed === null) return;
    for (let k = 0; k < out.slot.length; k++) out.slot[k]! += this.ownClosed.slot[k]! + this.open.slot[k]!;
    out.count += this.ownClosed.count + this.open.count;
  }
}
