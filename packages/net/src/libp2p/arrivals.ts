import type { ConnectionGater } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import { prefixOf } from "../membership/prefix.ts";
import { Allowances } from "./allowances.ts";
import { ARRIVALS_AT_ONCE, ARRIVALS_PER_SECOND } from "./limits.ts";
import { isRelayed } from "./ways.ts";

/**
 * Who may connect: from one address prefix so many at once, and then so many a second. Beyond that a connection ends before the
 * handshake, which costs us what it costs the caller, while names are free. Turning one away still costs about a millisecond. What comes through a hub
 * the hub bounds.
 */
export class ArrivalLimit {
  readonly #allowances = new Allowances(ARRIVALS_AT_ONCE, ARRIVALS_PER_SECOND / 1000);
  /** Hears of each that was turned away. */
  onTurnedAway = (): void => {};

  readonly gater: Pick<ConnectionGater, "denyInboundConnection"> = {
    denyInboundConnection: ({ remoteAddr }) => {
      if (this.admits(remoteAddr, performance.now())) return false;
      this.onTurnedAway();
      return true;
    },
  };

  admits(address: Multiaddr, now: number): boolean {
    const prefix = isRelayed(address.toString()) ? null : prefixOf(address);
    return prefix === null || this.#allowances.spend(prefix, now);
  }
}
