import type { SignedEntry } from "./entry.ts";
import { DEBT_DRAIN, FAILURE_MS, MOST_DEBT_MS } from "./limits.ts";
import type { Tag } from "./pulse.ts";

/** Somebody else in the room: the newest it said of itself, and what speaks against it. */
export interface Member {
  entry: SignedEntry;
  tag: Tag;
  /** When it was last heard, by our clock. */
  heard: number;
  /** By how many we know that; 0 where it was we who heard it. */
  hops: number;
  /** What failed requests weigh, as it was at `owed`. */
  debt: number;
  owed: number;
  /** Whether others were told that it joined. */
  announced: boolean;
}

/** The living, and those who said that they go. What others failed to reach is no news: they see for themselves. */
export const isNews = (member: Member, now: number, bound: number): boolean =>
  member.entry.claim.leaving || suspicionOf(member, now) < bound;

/** In ms; infinite for one that said that it goes. */
export function suspicionOf(member: Member, now: number): number {
  if (member.entry.claim.leaving) return Number.POSITIVE_INFINITY;
  return Math.max(0, now - member.heard) + debtOf(member, now);
}

/** Failures are forgotten bit by bit. */
function debtOf({ debt, owed }: Member, now: number): number {
  return Math.max(0, debt - DEBT_DRAIN * Math.max(0, now - owed));
}

/** A request to it got no answer. */
export function blame(member: Member, now: number): void {
  member.debt = Math.min(MOST_DEBT_MS, debtOf(member, now) + FAILURE_MS);
  member.owed = now;
}
