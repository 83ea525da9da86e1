import { type PeerId, type Reader, Writer } from "@coterie/core";
import { SIGNATURE_BYTES } from "../identity/signature.ts";
import { keyOf } from "./name.ts";

/**
 * A hub's word that a peer may be in an open room, until a time by the hub's clock. It goes along with what the peer says of itself.
 *
 *     ticket  hub u32, the first bytes of its key | until u32, s since 1970 | signature 64
 *     grant   ticket | now u32, s since 1970      (what a hub answers to whoever asks for a ticket)
 */
export interface Ticket {
  readonly hub: number;
  readonly until: number;
  readonly signature: Uint8Array;
}

/** A ticket, and the clock of the hub that gave it. */
export interface Grant {
  readonly ticket: Ticket;
  readonly now: number;
}

/** How long a ticket lasts. */
export const TICKET_S = 3600;

const utf8 = new TextEncoder();

/** How a ticket names its hub. Whoever trusts a few hubs needs no more to tell them apart; the signature does the rest. */
export function hubTag(name: PeerId): number | null {
  const key = keyOf(name);
  return key === null ? null : new DataView(key.buffer, key.byteOffset).getUint32(0, true);
}

export function writeTicket(out: Writer, { hub, until, signature }: Ticket): void {
  out.u32(hub);
  out.u32(until);
  out.raw(signature);
}

export function encodeTicket(ticket: Ticket): Uint8Array {
  const out = new Writer();
  writeTicket(out, ticket);
  return out.bytes();
}

export function readTicket(from: Reader, field: string): Ticket {
  const [hub, until] = [from.u32(`${field}.hub`), from.u32(`${field}.until`)];
  return { hub, until, signature: from.raw(field, SIGNATURE_BYTES) };
}

export function encodeGrant({ ticket, now }: Grant): Uint8Array {
  const out = new Writer();
  writeTicket(out, ticket);
  out.u32(now);
  return out.bytes();
}

export function readGrant(from: Reader): Grant {
  const grant = { ticket: readTicket(from, "grant.ticket"), now: from.u32("grant.now") };
  from.end("grant");
  return grant;
}

/** What a hub signs, behind the seal of the room. */
export const ticketText = (peer: PeerId, until: number): Uint8Array => utf8.encode(`${peer}\n${until}`);

export const ticketSeal = (room: Uint8Array): Uint8Array =>
  Uint8Array.of(...utf8.encode("coterie ticket 1\n"), ...room);

export const sameTicket = (a: Ticket | undefined, b: Ticket | undefined): boolean =>
  a?.hub === b?.hub && a?.until === b?.until;
