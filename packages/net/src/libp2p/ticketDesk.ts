import { TICKET_S } from "../membership/ticket.ts";
import { Allowances } from "./allowances.ts";
import type { HubLimit, HubLimits } from "./hubLimits.ts";
import { Shares } from "./shares.ts";

const MINUTE_S = 60;

/**
 * Which names a hub gives tickets to: of one address prefix so many new ones a minute, and so many at once. Whoever holds one has it
 * renewed. Those whose address is not known, as on the hub's own machine, share one prefix: a proxy that the hub was not told of must
 * not open the room. Pure: the time, in s, is an argument.
 */
export class TicketDesk {
  readonly #holders = new Map<string, number>();
  readonly #shares: Shares;
  readonly #newcomers: Allowances;

  constructor(readonly limits: Pick<HubLimits, "ticketsPerMinute" | "ticketsPerPrefix">) {
    this.#shares = new Shares(limits.ticketsPerPrefix);
    this.#newcomers = new Allowances(limits.ticketsPerMinute, limits.ticketsPerMinute / MINUTE_S);
  }

  /** Names that hold a ticket. */
  get size(): number {
    return this.#holders.size;
  }

  /** The limit that a ticket would be beyond, or null: it is given. `holds`: it shows one that this hub need not have given. */
  admit(name: string, address: string | null, holds: boolean, now: number): HubLimit | null {
    this.tick(now);
    const prefix = address ?? "unknown";
    if (!this.#holders.has(name)) {
      if (this.#shares.isSpent(prefix)) return "ticketsPerPrefix";
      if (!holds && !this.#newcomers.spend(prefix, now)) return "ticketsPerMinute";
      this.#shares.add(name, prefix);
    }
    this.#holders.delete(name);
    this.#holders.set(name, now + TICKET_S);
    return null;
  }

  /** Tickets that are out of time are nobody's. The oldest come first. */
  tick(now: number): void {
    for (const [name, until] of this.#holders) {
      if (until > now) break;
      this.#holders.delete(name);
      this.#shares.delete(name);
    }
  }
}
