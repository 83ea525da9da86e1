import type { Notary } from "../identity/signature.ts";
import { encodeClaim } from "./codec.ts";
import type { Claim, News, SignedEntry } from "./entry.ts";

/**
 * The genuine ones among a message's entries that are wanted, and how many of those were forged. At the first of these the rest is
 * not looked at: no correct peer passes one on, and checking costs more than making one.
 */
export async function genuine(
  news: readonly News[],
  notary: Notary,
  wants: (news: News) => boolean,
  /** Whether the ticket of an entry is a hub's, where the room asks for one. */
  isTicketGenuine: (claim: Claim) => Promise<boolean> = async () => true,
): Promise<{ readonly news: News[]; readonly forged: number }> {
  const good: News[] = [];
  for (const one of news) {
    if (!wants(one)) continue;
    const { claim, bytes, signature } = one.entry;
    const signed = await notary.verify(claim.id, bytes, signature);
    if (!signed || !(await isTicketGenuine(claim))) return { news: good, forged: 1 };
    good.push(one);
  }
  return { news: good, forged: 0 };
}

/** What we say about ourselves, signed. */
export async function signedBy(notary: Notary, claim: Claim): Promise<SignedEntry> {
  const bytes = encodeClaim(claim);
  return { claim, bytes, signature: await notary.sign(bytes) };
}
