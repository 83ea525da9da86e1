import { VERDICTS } from "@coterie/net/internal";

/**
 * The feed: one stream of events that a live network and a recorded run both give. It is text, a JSON document a line:
 * first a header, then beats, each all that happened within a short while. What happens often is kept in rows of plain
 * numbers, one after the other in a flat list, so that ten thousand peers fit and parse quickly.
 *
 * Peers are numbered in the order in which they joined; a number is never used again.
 */
export const FEED_VERSION = 1;

export interface FeedHeader {
  readonly coterie: "feed";
  readonly version: typeof FEED_VERSION;
  /** The policy's kind. */
  readonly policy: string;
  /** How long a round lasts. */
  readonly periodMs: number;
  /** When it began, in ms since 1970; 0 where that means nothing. */
  readonly startedMs: number;
  /** `live`: real peers on a network. `simulation`: peers in lockstep. */
  readonly source: "live" | "simulation";
}

export interface Joined {
  readonly peer: number;
  /** Its name in the room. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** The true cluster; null where nobody knows it, as of a person's tab. */
  readonly cluster: number | null;
}

/** Why somebody is no longer there, or one peer no longer pools with another. */
export const REASONS = ["left", "killed", "lost", "pruned", "unlike", "found"] as const;
export type Reason = (typeof REASONS)[number];

/** What came of an exchange: a verdict of the two, or that no answer came. */
export const OUTCOMES = [...VERDICTS, "in-doubt", "given-up"] as const;
export type ExchangeOutcome = (typeof OUTCOMES)[number];

/** What somebody did to the network on purpose. */
export interface Fault {
  readonly what: "add" | "kill" | "cut" | "heal" | "lie" | "truth";
  readonly peers: readonly number[];
}

export interface Trouble {
  readonly peer: number;
  readonly text: string;
}

/** All that happened since the beat before. */
export interface Beat {
  /** ms since the start. */
  readonly at: number;
  readonly joined?: readonly Joined[];
  /** Rows of `LEFT`. */
  readonly left?: readonly number[];
  readonly earned?: readonly number[];
  readonly met?: readonly number[];
  readonly state?: readonly number[];
  readonly pool?: readonly number[];
  readonly lent?: readonly number[];
  readonly sees?: readonly number[];
  readonly size?: readonly number[];
  readonly faults?: readonly Fault[];
  readonly troubles?: readonly Trouble[];
}

/** Names of the columns of each kind of row. */
export const ROWS = {
  /** `reason` is an index of REASONS. */
  left: ["peer", "reason"],
  /** A choice: what it paid, what the same peer alone would have earned of the same arms, and both regrets (null: not known). */
  earned: ["peer", "reward", "alone", "regret", "aloneRegret"],
  /** An exchange, told by the side that proposed it. `outcome` is an index of OUTCOMES; bytes of the two messages. */
  met: ["peer", "partner", "outcome", "sentBytes", "receivedBytes"],
  /** A peer at a glance. `drift` is how far its estimate moved since the state before; bytes are all it ever sent. */
  state: ["peer", "round", "own", "evidence", "buffered", "drift", "sentBytes"],
  /** From now on `peer` pools with `partner` (1) or does not (0). */
  pool: ["peer", "partner", "pools", "reason"],
  /** How many observations `peer` borrows from `lender`, where its policy can tell. */
  lent: ["peer", "lender", "observations"],
  /** How many others `peer` believes alive, where it changed. */
  sees: ["peer", "others"],
  /** How many members `peer` takes its room to have, itself among them: a guess in a room that is larger than its view. */
  size: ["peer", "members"],
} as const;
export type RowKind = keyof typeof ROWS;

/** Calls back with the place of each row: `rows[at]` is its first column. */
export function eachRow(beat: Beat, kind: RowKind, visit: (rows: readonly number[], at: number) => void): void {
  const rows = beat[kind];
  if (rows === undefined) return;
  const width = ROWS[kind].length;
  for (let at = 0; at < rows.length; at += width) visit(rows, at);
}

export const toLine = (part: FeedHeader | Beat): string => `${JSON.stringify(part)}\n`;
