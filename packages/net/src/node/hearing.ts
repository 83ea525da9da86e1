import type { PeerId } from "@coterie/core";
import type { Notary } from "../identity/signature.ts";
import type { Bulletin, Claim, News, Occasion } from "../membership/entry.ts";
import { ticketText } from "../membership/ticket.ts";
import type { GossipEvent } from "./event.ts";
import type { Gossip } from "./gossip.ts";

/** What it takes to believe what others tell. */
export interface Hearing {
  readonly gossip: Gossip;
  readonly notary: Notary;
  readonly clock: () => number;
  readonly tell: (event: GossipEvent) => void;
  /** Checks what hubs signed, where the room asks for tickets. */
  readonly verifyTicket?: Notary["verify"];
  readonly isHub?: (peer: PeerId) => boolean;
  /** Hears who passed on a forged entry. */
  readonly onForged?: (from: PeerId) => void;
}

/** What came along with a message: what is genuine of it is news for the node. */
export async function hear(
  { gossip, notary, clock, tell, verifyTicket, isHub = () => false, onForged = () => {} }: Hearing,
  from: PeerId,
  { news: told }: Bulletin,
  occasion: Occasion,
): Promise<void> {
  const hub = isHub(from);
  const wants = (one: News): boolean => gossip.bulletins.wants(one, from, occasion, clock(), hub);
  const isTicketGenuine = async ({ id, ticket }: Claim): Promise<boolean> => {
    if (gossip.tickets === null) return true;
    const signer = ticket === undefined ? null : gossip.tickets.signerOf(ticket);
    if (ticket === undefined || signer === null || verifyTicket === undefined) return false;
    return verifyTicket(signer, ticketText(id, ticket.until), ticket.signature);
  };
  const { news, forged } = await genuine(told, notary, wants, isTicketGenuine);
  if (forged) onForged(from);
  tell({ kind: "heard", from, occasion, news, told, hub });
}

/**
 * The genuine ones among a message's entries that are wanted, and whether one of those was forged. At the first of these the rest is
 * not looked at: no correct peer passes one on, and checking costs more than making one.
 */
export async function genuine(
  news: readonly News[],
  notary: Notary,
  wants: (news: News) => boolean,
  /** Whether the ticket of an entry is a hub's, where the room asks for one. */
  isTicketGenuine: (claim: Claim) => Promise<boolean> = async () => true,
): Promise<{ readonly news: News[]; readonly forged: boolean }> {
  const good: News[] = [];
  for (const one of news) {
    if (!wants(one)) continue;
    const { claim, bytes, signature } = one.entry;
    const signed = await notary.verify(claim.id, bytes, signature);
    if (!signed || !(await isTicketGenuine(claim))) return { news: good, forged: true };
    good.push(one);
  }
  return { news: good, forged: false };
}
