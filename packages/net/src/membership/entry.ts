import type { PeerId } from "@coterie/core";
import { sameTicket, type Ticket } from "./ticket.ts";

/** What a peer says about itself. Of two claims the one with the larger (incarnation, heartbeat) is the newer. */
export interface Claim {
  readonly id: PeerId;
  readonly addresses: readonly string[];
  /** Larger at every start of the peer. */
  readonly incarnation: number;
  /** Counts up while it lives. */
  readonly heartbeat: number;
  /** It answers exchanges; one that does not (a meeting point, a peer about to start) is nobody's partner. */
  readonly serves: boolean;
  /** Its last word: it is going. */
  readonly leaving: boolean;
  /** In a room with tickets: a hub's word that it may come in. */
  readonly ticket?: Ticket | undefined;
}

/** A claim with its peer's signature over `bytes`, which others can check and pass on. */
export interface SignedEntry {
  readonly claim: Claim;
  /** The claim as it was signed. */
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
}

/** An entry on its way: with how long ago its peer signed it, summed up by those who passed it on. */
export interface News {
  readonly entry: SignedEntry;
  readonly ageMs: number;
}

/** What goes along with a message. */
export interface Bulletin {
  readonly news: readonly News[];
}

/** Why two peers talk: to swap entries, or to exchange what they have learnt. */
export type Occasion = "gossip" | "exchange";

/** Who came into view, or went out of it. */
export interface MembershipEvent {
  readonly kind: "joined" | "left";
  readonly peer: PeerId;
}

/** Positive where `a` is newer than `b`. */
export function compareAge(
  a: Pick<Claim, "incarnation" | "heartbeat">,
  b: Pick<Claim, "incarnation" | "heartbeat">,
): number {
  return a.incarnation - b.incarnation || a.heartbeat - b.heartbeat;
}

/** Whether two claims say the same but for the heartbeat. */
export function sameBut(a: Claim, b: Claim): boolean {
  return (
    a.incarnation === b.incarnation &&
    a.serves === b.serves &&
    a.leaving === b.leaving &&
    sameTicket(a.ticket, b.ticket) &&
    a.addresses.length === b.addresses.length &&
    a.addresses.every((address, k) => address === b.addresses[k])
  );
}
