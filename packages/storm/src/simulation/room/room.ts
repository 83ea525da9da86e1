import * as parts from "@coterie/net/internal";
import { largestStrongPart } from "./graph.ts";
import type { RoomTab } from "./tab.ts";
import { TabRoom, type TabRoomConfig, type Yesterday } from "./tabRoom.ts";
import type { Visit } from "./visit.ts";

export interface RoomOptions extends TabRoomConfig {
  /** How long the room is measured, after as long to settle. */
  readonly seconds: number;
  /** Whether half of it dies at once in the end. */
  readonly halves: boolean;
}

export interface RoomReport {
  readonly members: number;
  readonly churn: number;
  /** Bytes a second that a member sends: of the room, and of exchanges. */
  readonly roomBytes: number;
  readonly exchangeBytes: number;
  /** Signatures that a member checks in a second. */
  readonly checked: number;
  readonly exchanges: number;
  /** The share of exchanges that failed, and of the others those with kin. */
  readonly failed: number;
  readonly withKin: number;
  /** Regret of a choice, on average; null where nothing is chosen. */
  readonly regret: number | null;
  /** How many views a member is in: the least of all but one in a hundred, the median, the most. */
  readonly inDegree: { readonly p1: number; readonly p50: number; readonly max: number };
  /** The share of those present for 5 s that are in the largest part in which all reach all. */
  readonly connected: number;
  /** From arrival to the first exchange, and to the first with kin, in s. */
  readonly first: { readonly p50: number; readonly p90: number };
  readonly firstKin: { readonly p50: number; readonly p90: number };
  /** What members believe the room's size to be. */
  readonly size: { readonly p10: number; readonly p50: number; readonly p90: number };
  /** Of entries in views, those of members that are gone. */
  readonly dead: number;
  /** After half has died: the share connected at once, and after how many seconds it was .999 again; null where not asked. */
  readonly halved: { readonly connected: number; readonly seconds: number } | null;
  readonly faults: readonly string[];
}

/** How long the room of the day before is played. */
const DAY_S = 100;
const PRESENT_MS = 5000;
const CONNECTED = 0.999;
/** A dead peer's entry may be on its way for as long as the slowest swap takes. */
const SLACK_MS = 5000;
const MOST_RECOVERY_S = 120;
/** Those in a small room who were buried by mistake, because a call was late, and are not back yet. */
const MISSING = 4;

/** Lets a room live, and measures it. */
export function playRoom(options: RoomOptions, onSecond: (done: number, of: number) => void = () => {}): RoomReport {
  const { members, churn, seconds, halves } = options;
  const room = new TabRoom(options, yesterdayOf(options));
  const all = 20 + 2 * seconds;
  const pass = (from: number, count: number): void => {
    for (let k = 0; k < count; k++) {
      room.run(1);
      onSecond(from + k + 1, all);
    }
  };
  pass(0, 20);
  room.churn();
  pass(20, seconds);
  room.reset();
  const since = room.now;
  pass(20 + seconds, seconds);
  look(room);
  const { done, failed, withKin } = room;
  const each = (figure: number): number => figure / members / seconds;
  const newcomers = [...room.visits.values()].filter(({ born }) => born >= since);
  const degrees = inDegrees(room.present);
  const measured = {
    members,
    churn,
    roomBytes: each(room.roomBytes),
    exchangeBytes: each(room.bodyBytes),
    checked: each(room.checked),
    exchanges: done + failed,
    failed: failed / Math.max(1, done + failed),
    withKin: withKin / Math.max(1, done),
    regret: room.choices === 0 ? null : room.regret / room.choices,
    inDegree: { p1: at(degrees, 0.01), p50: at(degrees, 0.5), max: degrees.at(-1) ?? 0 },
    connected: connected(room),
    first: waits(newcomers, room.now, ({ first }) => first),
    firstKin: waits(
      [...room.visits.values()].filter(({ born }) => born >= 20_000),
      room.now,
      ({ firstKin }) => firstKin,
    ),
    size: sizes(room.present),
    dead: deadShare(room.present),
  };
  const halved = halves ? recover(room) : null;
  return { ...measured, halved, faults: [...room.faults] };
}

/** The room of the day before, where some come back; as long as it takes that as many have come as are there. */
function yesterdayOf(options: RoomOptions): Yesterday | null {
  if ((options.returning ?? 0) === 0) return null;
  const room = new TabRoom(options, null, "yesterday");
  room.run(20);
  room.churn();
  room.run(DAY_S);
  return room.yesterday;
}

/** What must hold at any time: nobody is known who was gone longer than an entry lives; a small room is known as a whole. */
function look(room: TabRoom): void {
  const { present, now } = room;
  const isGone = (peer: string, after: number): boolean => now - room.visits.get(peer)!.died > after + SLACK_MS;
  const settled = present.filter(({ born }) => now - born > parts.EXPIRE_MS);
  const least = settled.length <= parts.VIEW_SIZE ? settled.length - 1 - MISSING : parts.VIEW_SIZE / 2;
  for (const { gossip } of settled) {
    if (gossip.view().some((peer) => isGone(peer, parts.EXPIRE_MS))) room.fault("an entry outlived its peer");
    if (gossip.alive().some((peer) => isGone(peer, parts.KIN_EXPIRE_MS)))
      room.fault("an entry of kin outlived its peer");
    if (gossip.size < least) room.fault(`a member knows fewer than ${least} others`);
  }
}

function inDegrees(present: readonly RoomTab[]): number[] {
  const counts = new Map(present.map((member) => [member, 0]));
  for (const member of present) {
    for (const other of member.neighbours()) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return [...counts.values()].sort((a, b) => a - b);
}

function connected({ present, now }: TabRoom): number {
  const settled = present.filter(({ born }) => now - born >= PRESENT_MS);
  const places = new Map(settled.map((member, place) => [member, place]));
  const edges = settled.map((member) => member.neighbours().flatMap((other) => places.get(other) ?? []));
  return settled.length === 0 ? 1 : largestStrongPart(edges) / settled.length;
}

function recover(room: TabRoom): RoomReport["halved"] {
  room.halve();
  const begun = room.now;
  const first = connected(room);
  let share = first;
  while (share < CONNECTED && room.now - begun < 1000 * MOST_RECOVERY_S) {
    room.run(2);
    share = connected(room);
  }
  const seconds = share >= CONNECTED ? (room.now - begun) / 1000 : Number.POSITIVE_INFINITY;
  return { connected: first, seconds };
}

/** In s. Those who went before it came about, or wait still, count where they waited longer than others did. */
function waits(of: readonly Visit[], now: number, when: (visit: Visit) => number): { p50: number; p90: number } {
  const known = of.map((visit) => {
    const end = Math.min(now, visit.died);
    const time = when(visit);
    return { wait: (Math.min(time, end) - visit.born) / 1000, over: time <= end };
  });
  return { p50: survival(known, 0.5), p90: survival(known, 0.9) };
}

/** The quantile of waits of which some are cut short (Kaplan and Meier's estimate). */
function survival(waits: readonly { readonly wait: number; readonly over: boolean }[], share: number): number {
  const sorted = [...waits].sort((a, b) => a.wait - b.wait);
  let [left, still] = [sorted.length, 1];
  for (const { wait, over } of sorted) {
    if (over) still *= 1 - 1 / left;
    left -= 1;
    if (still <= 1 - share + 1e-12) return wait;
  }
  return Number.POSITIVE_INFINITY;
}

function sizes(present: readonly RoomTab[]): RoomReport["size"] {
  const all = present.map(({ gossip }) => gossip.count).sort((a, b) => a - b);
  return { p10: at(all, 0.1), p50: at(all, 0.5), p90: at(all, 0.9) };
}

function deadShare(present: readonly RoomTab[]): number {
  let [dead, all] = [0, 0];
  for (const { gossip, room } of present) {
    for (const peer of gossip.alive()) {
      all += 1;
      if (room.find(peer) === null) dead += 1;
    }
  }
  return dead / Math.max(1, all);
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
