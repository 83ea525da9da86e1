import { prefixOf } from "../membership/prefix.ts";
import { Allowances } from "./allowances.ts";
import { ARRIVALS_AT_ONCE, ARRIVALS_DEBT, ARRIVALS_PER_SECOND, DROPPED_COSTS } from "./limits.ts";
import { isRelayed } from "./ways.ts";

/**
 * Who may connect: from one address prefix so many at once, and then so many a second. A handshake costs us what it costs the caller,
 * while names are free. A connection that had to be dropped counts as several: whoever comes back for that waits longer and longer.
 * What comes through a hub the hub bounds.
 */
export class ArrivalLimit {
  readonly #allowances = new Allowances(ARRIVALS_AT_ONCE, ARRIVALS_PER_SECOND / 1000, ARRIVALS_DEBT);
  /** Hears of each that was turned away. */
  onTurnedAway = (): void => {};

  admits(address: string, now: number): boolean {
    const prefix = isRelayed(address) ? null : prefixOf(address);
    return prefix === null || this.#allowances.spend(prefix, now);
  }

  /** A connection that came from there was dropped for what was done on it. */
  dropped(address: string, now: number): void {
    const prefix = isRelayed(address) ? null : prefixOf(address);
    if (prefix !== null) this.#allowances.charge(prefix, DROPPED_COSTS, now);
  }
}
