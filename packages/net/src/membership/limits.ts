import { log2 } from "@coterie/core";

/** Times of the membership, in ms of whatever clock the host hands in. */

/** Between two heartbeats in a small room: five of them fit into the 5 s after which nobody may choose a dead peer. */
export const HEARTBEAT_MS = 1000;

/**
 * Rounds of gossip per heartbeat. Simulated with 20 peers, one round leaves 0.3 % of pairs suspected at any moment,
 * two leave none, and messages lost at 30 % then cost 0.6 %.
 */
export const ROUNDS_PER_HEARTBEAT = 2;

/** Beyond this many members heartbeats slow down, so that hearing of everybody costs a peer no more per second. */
const CALM_SIZE = 64;

/** Silence after which a peer is no longer chosen: below 5 s with room for the clock's steps. */
const SUSPECT_MS = 4000;

/** What one failed request weighs: with a heartbeat that is late as well, one is enough; without, it takes two. */
export const FAILURE_MS = 2500;

/** More failures than this add nothing, so that a peer that was cut off for a day is not shunned for another. */
export const MOST_DEBT_MS = 20_000;

/** Failures are forgotten at this rate, in ms per ms: somebody else may reach a peer that we cannot. */
export const DEBT_DRAIN = 0.25;

/** Silence after which a peer is given up, at least: a short sleep or a restart is no reason to start over. */
const REMOVE_MS = 60_000;

/** How long a peer given up is remembered, so that entries still on their way do not bring it back. */
export const TOMB_MS = 10 * REMOVE_MS;

/** News of a peer heard of this recently is not worth checking a signature for. */
export const FRESH_MS = HEARTBEAT_MS / 2;

/** An entry that says nothing new is signed anew this often: one that was given up comes back by a newer one only. */
export const REFRESH_MS = 30_000;

/** What a partner said that it has is worth sending the rest for this long: later it has heard more from others. */
export const LIST_MS = 1000;

/**
 * A sign of life is passed on this often at most. An age grows a little too slowly, by the time that messages take; without
 * an end to it the living would tell each other of a dead peer for ever.
 */
export const MOST_HOPS = 16;

/** Limits on everything that a stranger can make grow. */
export const MEMBERSHIP_LIMITS = {
  members: 256,
  tombs: 1024,
  /** Entries in one message. */
  entries: 32,
  /** Signs of life in one message: of everybody known, and its sender's own. */
  pulses: 257,
  entryBytes: 2048,
  idLength: 64,
  addresses: 8,
  addressLength: 200,
} as const;

/** Between two heartbeats in a room of this size. */
export const heartbeatMs = (members: number): number => HEARTBEAT_MS * Math.max(1, members / CALM_SIZE);

/**
 * The suspicion, in ms, from which on a peer is not chosen. A message carries 32 entries: in rooms beyond that an
 * entry takes more rounds to get about, and gossip needs log₂ n rounds anyway.
 */
export function suspectMs(members: number): number {
  const { entries } = MEMBERSHIP_LIMITS;
  const slower = members <= entries ? 1 : (log2(members) / log2(entries)) * Math.sqrt(members / entries);
  return (SUSPECT_MS * slower * heartbeatMs(members)) / HEARTBEAT_MS;
}

/** Silence after which a peer is given up, long after it was suspected in a room of any size. */
export const removeMs = (members: number): number => Math.max(REMOVE_MS, 4 * suspectMs(members));
