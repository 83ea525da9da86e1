import type { Notary } from "../identity/signature.ts";
import { encodeClaim, keep } from "./codec.ts";
import type { Claim, News, SignedEntry } from "./entry.ts";
import type { Membership, MembershipEvent } from "./membership.ts";

/** What came of a message's entries. */
export interface Received {
  readonly events: readonly MembershipEvent[];
  readonly forged: number;
}

/** Checks the entries of a message that say something new, and takes those that are genuine. */
export async function receive(
  membership: Membership,
  notary: Notary,
  news: readonly News[],
  clock: () => number,
): Promise<Received> {
  const events: MembershipEvent[] = [];
  let forged = 0;
  for (const one of news) {
    if (!membership.wants(one, clock())) continue;
    const { claim, bytes, signature } = one.entry;
    if (!(await notary.verify(claim.id, bytes, signature))) forged += 1;
    else events.push(...membership.learn({ ...one, entry: keep(one.entry) }, clock()));
  }
  return { events, forged };
}

/** What we say about ourselves, signed and published where it has changed or grown old. */
export async function heartbeat(
  membership: Membership,
  notary: Notary,
  state: Pick<Claim, "addresses" | "serves" | "leaving">,
  now: number,
): Promise<SignedEntry> {
  const current = membership.current(state, now);
  if (current !== null) return current;
  const claim = membership.beat(state);
  const bytes = encodeClaim(claim);
  const entry = { claim, bytes, signature: await notary.sign(bytes) };
  membership.publish(entry, now);
  return entry;
}
