import type { PeerId } from "@coterie/core";
import { keepNewest } from "../keep.ts";
import type { Claim } from "../membership/entry.ts";
import { type Grant, hubTag, TICKET_S, type Ticket } from "../membership/ticket.ts";

/** Time left of a ticket when it is renewed: so long may every hub be away. */
const RENEW_S = TICKET_S / 2;
/** More than have a connection at once. */
const MOST_SHOWN = 1024;

/**
 * The tickets of a room in which hubs admit peers: our own, and until when those of others hold. Times are those of the hubs, as far as
 * the last one to give us a ticket told its clock: no peer need have the right time itself. Signatures are checked before.
 */
export class Tickets {
  readonly #hubs: ReadonlyMap<number, PeerId>;
  /** Of those who spoke to us: until when they may. */
  readonly #shown = new Map<PeerId, number>();
  #own: Ticket | null = null;
  /** What the hubs' clock shows at our 0, in s; null until one has told. */
  #zero: number | null = null;

  /** `hubs`: whose tickets count. */
  constructor(hubs: readonly PeerId[]) {
    this.#hubs = new Map(hubs.flatMap((hub) => (hubTag(hub) === null ? [] : [[hubTag(hub)!, hub]])));
  }

  /** The one that we show, good or not. */
  get own(): Ticket | null {
    return this.#own;
  }

  take({ ticket, now: hubNow }: Grant, now: number): void {
    this.#zero = hubNow - now / 1000;
    this.#own = ticket;
  }

  /** Whether a hub's tickets count. */
  trusts(hub: PeerId): boolean {
    const tag = hubTag(hub);
    return tag !== null && this.#hubs.get(tag) === hub;
  }

  /** Which of our hubs must have signed it. */
  signerOf({ hub }: Ticket): PeerId | null {
    return this.#hubs.get(hub) ?? null;
  }

  /** Whether it is time to ask for one. */
  isDue(now: number): boolean {
    return this.#own === null || this.#left(this.#own.until, now) < RENEW_S;
  }

  /** Whether a claim comes with a ticket of one of our hubs, and in time. Without a ticket of our own we know no time. */
  holds({ ticket }: Pick<Claim, "ticket">, now: number): boolean {
    return ticket !== undefined && this.signerOf(ticket) !== null && this.#left(ticket.until, now) > 0;
  }

  /** Whether what a peer says of itself brings a ticket that holds longer than what it showed before. */
  isNews({ id, ticket }: Claim): boolean {
    return ticket !== undefined && ticket.until > (this.#shown.get(id) ?? 0);
  }

  /** A peer itself showed its ticket. */
  show({ id, ticket }: Claim): void {
    if (ticket === undefined) return;
    keepNewest(this.#shown, id, Math.max(ticket.until, this.#shown.get(id) ?? 0), MOST_SHOWN);
  }

  /** Whether a peer has shown a ticket that is good now. */
  admits(peer: PeerId, now: number): boolean {
    const until = this.#shown.get(peer);
    return until !== undefined && this.#left(until, now) > 0;
  }

  /** Seconds until a time of the hubs. */
  #left(until: number, now: number): number {
    return this.#zero === null ? Number.NEGATIVE_INFINITY : until - (this.#zero + now / 1000);
  }
}
