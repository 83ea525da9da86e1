import type { PeerId } from "@coterie/core";
import type { Ed25519PrivateKey } from "@libp2p/interface";
import { createNotary } from "../identity/notary.ts";
import { reader } from "../membership/codec.ts";
import type { Claim } from "../membership/entry.ts";
import {
  encodeGrant,
  hubTag,
  readTicket,
  TICKET_S,
  type Ticket,
  ticketSeal,
  ticketText,
} from "../membership/ticket.ts";
import { Tickets } from "../node/tickets.ts";
import type { HubLimit, HubLimits } from "./hubLimits.ts";
import { TicketDesk } from "./ticketDesk.ts";

/** Who asks for a ticket, for which room, and from where. */
export interface Applicant {
  readonly peer: PeerId;
  readonly room: Uint8Array;
  readonly prefix: string | null;
}

/** What a hub gives those who ask to be admitted to a room; with its key, and those of the hubs that it was told of, it also checks. */
export class HubTickets {
  readonly #desk: TicketDesk;
  readonly #trusted: Tickets;

  constructor(
    readonly self: PeerId,
    readonly key: Ed25519PrivateKey,
    hubs: Iterable<PeerId>,
    limits: HubLimits,
    /** s since 1970. */
    readonly date: () => number = () => Math.floor(Date.now() / 1000),
  ) {
    this.#desk = new TicketDesk(limits);
    this.#trusted = new Tickets([self, ...hubs]);
  }

  get size(): number {
    return this.#desk.size;
  }

  /** What it asks with: a ticket that it holds, or a byte. The answer, and the limit that one would be beyond. */
  async grant(
    { peer, room, prefix }: Applicant,
    asks: Uint8Array,
  ): Promise<{ readonly limit: HubLimit } | { readonly limit: null; readonly answer: Uint8Array }> {
    const now = this.date();
    const holds = asks.length > 1 && (await this.isGood(peer, room, readTicket(reader(asks), "ticket")));
    const limit = this.#desk.admit(`${peer} ${String(room)}`, prefix, holds, now);
    if (limit !== null) return { limit };
    const until = now + TICKET_S;
    const signature = await this.#notary(room).sign(ticketText(peer, until));
    return { limit, answer: encodeGrant({ ticket: { hub: hubTag(this.self)!, until, signature }, now }) };
  }

  /** Whether an entry is that of an admitted peer. */
  async admits({ id, ticket }: Claim, room: Uint8Array): Promise<boolean> {
    return ticket !== undefined && (await this.isGood(id, room, ticket));
  }

  async isGood(peer: PeerId, room: Uint8Array, ticket: Ticket): Promise<boolean> {
    const signer = this.#trusted.signerOf(ticket);
    if (signer === null || ticket.until <= this.date()) return false;
    return this.#notary(room).verify(signer, ticketText(peer, ticket.until), ticket.signature);
  }

  #notary(room: Uint8Array): ReturnType<typeof createNotary> {
    return createNotary(this.self, this.key, ticketSeal(room));
  }
}
