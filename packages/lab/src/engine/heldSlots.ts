import type { MeetingResults } from "./meetings.ts";

/** What waits to be promoted, of all peers: a slot a round (slotQueue.ts) or an epoch (epochs.ts). */
export interface HeldSlots {
  /** Slots that a peer counts as held back. */
  readonly held: number;
  /** Slots that an exchange carries, and how many of them are not zero unless a reset emptied some. */
  readonly carried: { readonly held: number; readonly filled: number };
  /** Where the observations of a round go. */
  seenAt(round: number): number;
  /** The round's meetings and observations are over. True if active sums changed. `weigh` says what a slot counts. */
  close(round: number, met: MeetingResults, weigh: () => void): boolean;
}
