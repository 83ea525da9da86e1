import { ConfigError, type Random } from "@coterie/core";
import type { CataloguePeer } from "../data/catalogue.ts";

/**
 * When each item of each peer's own is offered. Each (peer, item) is one event. Events are in the order in which they
 * are played: by round, then by turn.
 */
export interface EventTimeline {
  /** [event]: whose it is, and its item's place in the catalogue. */
  readonly peers: Int32Array;
  readonly items: Int32Array;
  /** Events of turn k, counted over all rounds from 0: from turnStarts[k] to turnStarts[k + 1]. */
  readonly turnStarts: Int32Array;
  /** [turn]: 1 where the round ends with it. */
  readonly endsRound: Uint8Array;
}

/**
 * Sorts the events of all peers by time, those of the same time at random, and cuts them into `rounds` slices: round r
 * (from 0) has the events from ⌊r n / rounds⌋ to ⌊(r + 1) n / rounds⌋ of n. A peer's k-th event of a slice is in turn k
 * of that round.
 */
export function timelineOf(peers: readonly CataloguePeer[], rounds: number, random: Random): EventTimeline {
  const { owners, items, times } = eventsOf(peers);
  const n = owners.length;
  if (rounds > n) throw new ConfigError("rounds", rounds, `be at most ${n}, the items of all users together`);
  const order = inTime(times, random);
  const played = new Int32Array(n);
  const turnStarts: number[] = [];
  const endsRound: number[] = [];
  const seen = new Int32Array(peers.length);
  for (let round = 0; round < rounds; round++) {
    const from = Math.floor((round * n) / rounds);
    const slice = order.subarray(from, Math.floor(((round + 1) * n) / rounds));
    const turns = sortByTurn(slice, owners, seen, played.subarray(from, from + slice.length));
    turns.forEach((start, k) => {
      turnStarts.push(from + start);
      endsRound.push(k === turns.length - 1 ? 1 : 0);
    });
  }
  turnStarts.push(n);
  return {
    peers: played.map((event) => owners[event]!),
    items: played.map((event) => items[event]!),
    turnStarts: Int32Array.from(turnStarts),
    endsRound: Uint8Array.from(endsRound),
  };
}

function eventsOf(peers: readonly CataloguePeer[]): { owners: Int32Array; items: Int32Array; times: Int32Array } {
  const n = peers.reduce((sum, peer) => sum + peer.items.length, 0);
  const events = { owners: new Int32Array(n), items: new Int32Array(n), times: new Int32Array(n) };
  let end = 0;
  peers.forEach(({ items, times }, owner) => {
    items.forEach((item, k) => {
      events.owners[end] = owner;
      events.items[end] = item;
      events.times[end++] = times![k]!;
    });
  });
  return events;
}

/** Places of `times`, the earliest first; among equals a random order. */
function inTime(times: Int32Array, random: Random): Int32Array {
  const ranks = random.shuffle(times.map((_, k) => k));
  return times.map((_, k) => k).sort((a, b) => times[a]! - times[b]! || ranks[a]! - ranks[b]!);
}

/**
 * Puts the events of one slice into `out` by turn, within a turn as they were, and returns where each turn starts.
 * `seen`, [peer], is zero before and after.
 */
function sortByTurn(slice: Int32Array, owners: Int32Array, seen: Int32Array, out: Int32Array): number[] {
  const turns = slice.map((event) => seen[owners[event]!]!++);
  for (const event of slice) seen[owners[event]!] = 0;
  const sizes: number[] = [];
  for (const turn of turns) sizes[turn] = (sizes[turn] ?? 0) + 1;
  let start = 0;
  const starts = sizes.map((size) => {
    start += size;
    return start - size;
  });
  const next = [...starts];
  slice.forEach((event, k) => {
    out[next[turns[k]!]!++] = event;
  });
  return starts;
}
