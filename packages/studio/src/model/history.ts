import { eachRow, OUTCOMES, REASONS } from "../feed/format.ts";
import type { Timeline } from "./timeline.ts";

export interface PoolChange {
  readonly at: number;
  readonly partner: number;
  readonly pools: boolean;
  readonly reason: string;
}

export interface Exchanged {
  readonly at: number;
  readonly partner: number;
  /** Who began. */
  readonly began: boolean;
  readonly outcome: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** When each came into a peer's pool or left it, and why: newest first, up to beat `last`. */
export function poolHistory(timeline: Timeline, peer: number, last: number, most = 50): PoolChange[] {
  const found: PoolChange[] = [];
  for (let index = last; index >= 0 && found.length < most; index--) {
    const beat = timeline.beats[index];
    eachRow(beat, "pool", (rows, at) => {
      if (rows[at] !== peer) return;
      found.push({ at: beat.at, partner: rows[at + 1], pools: rows[at + 2] === 1, reason: REASONS[rows[at + 3]] });
    });
  }
  return found;
}

/** A peer's exchanges, newest first, up to beat `last`. */
export function exchangesOf(timeline: Timeline, peer: number, last: number, most = 12): Exchanged[] {
  const found: Exchanged[] = [];
  for (let index = last; index >= 0 && found.length < most; index--) {
    const beat = timeline.beats[index];
    eachRow(beat, "met", (rows, at) => {
      const [from, to, code, sent, received] = rows.slice(at, at + 5);
      if (from !== peer && to !== peer) return;
      const began = from === peer;
      const outcome = OUTCOMES[code];
      const bytes = began ? { sentBytes: sent, receivedBytes: received } : { sentBytes: received, receivedBytes: sent };
      found.push({ at: beat.at, partner: began ? to : from, began, outcome, ...bytes });
    });
  }
  return found.slice(0, most);
}

/** Bytes of exchanges that a peer sent to each other one, up to beat `last`; most first. */
export function sentTo(timeline: Timeline, peer: number, last: number): [partner: number, bytes: number][] {
  const sums = new Map<number, number>();
  for (let index = 0; index <= last; index++) {
    eachRow(timeline.beats[index], "met", (rows, at) => {
      if (rows[at] === peer) sums.set(rows[at + 1], (sums.get(rows[at + 1]) ?? 0) + rows[at + 3]);
      if (rows[at + 1] === peer) sums.set(rows[at], (sums.get(rows[at]) ?? 0) + rows[at + 4]);
    });
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

/** How far a peer's estimate moved between one state and the next, a value a state, oldest first. */
export function driftOf(timeline: Timeline, peer: number, last: number, most = 120): number[] {
  const found: number[] = [];
  for (let index = last; index >= 0 && found.length < most; index--) {
    eachRow(timeline.beats[index], "state", (rows, at) => {
      if (rows[at] === peer) found.push(rows[at + 5]);
    });
  }
  return found.reverse();
}
