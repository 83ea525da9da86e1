import { Random } from "@coterie/core";
import { describe, expect, it, vi } from "vitest";
import type { SignedEntry } from "../membership/entry.ts";
import type { HubLimit } from "./hubLimits.ts";
import { INTRODUCED } from "./limits.ts";
import { type Place, Roster } from "./roster.ts";

const A: Place = { room: "a", fit: "open 1" };
const B: Place = { room: "b", fit: "open 1" };
const entry = (id: string, leaving = false): SignedEntry => ({
  claim: { id, addresses: [], incarnation: 1, heartbeat: 1, serves: true, leaving },
  bytes: new Uint8Array(),
  signature: new Uint8Array(),
});
const limits = { rooms: 2, roomsPerPeer: 2, roomsPerPrefix: 2, membersPerRoom: 40, members: 60, traded: 3 };
const guests = (roster: Roster, place: Place, count: number, from = 0): (HubLimit | null)[] =>
  Array.from({ length: count }, (_, k) => roster.sign(place, entry(`${place.room}${from + k}`), 0, null));
const names = (roster: Roster, place: Place, to: string): string[] =>
  roster.introduce(place, to, 5, Random.seeded(1)).map(({ entry: { claim } }) => claim.id);

describe("a hub's roster", () => {
  it("introduces those of one room to each other, not oneself, with the age of what they said", () => {
    const roster = new Roster(limits, 1000);
    guests(roster, A, 3);
    guests(roster, B, 1);
    expect(names(roster, A, "a1").sort()).toEqual(["a0", "a2"]);
    expect(roster.introduce(A, "a1", 5, Random.seeded(1)).every(({ ageMs }) => ageMs === 5)).toBe(true);
    expect(names(roster, B, "b0")).toEqual([]);
  });

  it("draws a few, all equally often, with so many draws however many are there", () => {
    const draws = (size: number): number => {
      const roster = new Roster({ ...limits, membersPerRoom: size, members: size }, 1000);
      guests(roster, A, size);
      const random = Random.seeded(1);
      const below = vi.spyOn(random, "below");
      const drawn = roster.introduce(A, "a3", 5, random).map(({ entry: { claim } }) => claim.id);
      expect([drawn.length, new Set(drawn).size, drawn.includes("a3")]).toEqual([INTRODUCED, INTRODUCED, false]);
      return below.mock.calls.length;
    };
    expect([draws(20), draws(5000)]).toEqual([INTRODUCED, INTRODUCED]);
    const roster = new Roster(limits, 1000);
    guests(roster, A, 25);
    const random = Random.seeded(2);
    const times = new Map<string, number>();
    for (let k = 0; k < 2000; k++) {
      for (const {
        entry: { claim },
      } of roster.introduce(A, "a24", 5, random)) {
        times.set(claim.id, (times.get(claim.id) ?? 0) + 1);
      }
    }
    // Each is one of 12 of 24 with chance 1/2: 1000 of 2000 times with a standard deviation of 22.
    expect(times.size).toBe(24);
    expect([...times.values()].filter((count) => Math.abs(count - 1000) > 110)).toEqual([]);
  });

  it("still knows everybody else after many have come and gone", () => {
    const roster = new Roster(limits, 1000);
    const random = Random.seeded(3);
    const there = new Set<string>();
    for (let k = 0; k < 500; k++) {
      const peer = `a${random.below(12)}`;
      if (there.delete(peer)) roster.leave(peer);
      else if (roster.sign(A, entry(peer), 0, null) === null) there.add(peer);
      expect(names(roster, A, "x").sort()).toEqual([...there].sort());
      expect([roster.members, roster.sizes()]).toEqual([there.size, there.size === 0 ? [] : [["a", there.size]]]);
    }
  });

  it("keeps those apart who agree on something else, and counts them", () => {
    const roster = new Roster(limits, 1000);
    guests(roster, A, 2);
    guests(roster, { ...A, fit: "keyed 1" }, 3, 10);
    expect(names(roster, A, "x").sort()).toEqual(["a0", "a1"]);
    expect(roster.misfits(A)).toBe(3);
    expect(roster.rooms).toBe(1);
  });

  it("takes no more than its limits, and those it has all the same", () => {
    const roster = new Roster(limits, 1000);
    const beyond = (all: (HubLimit | null)[]): (HubLimit | null)[] => all.filter((limit) => limit !== null);
    expect(beyond(guests(roster, A, 41))).toEqual(["membersPerRoom"]);
    expect(beyond(guests(roster, B, 21))).toEqual(["members"]);
    expect(roster.lacks("c0", { room: "c", fit: "" }, null)).toBe("rooms");
    expect(roster.sign(A, entry("a0"), 1, null)).toBe(null);
    expect([roster.rooms, roster.members]).toEqual([2, 60]);
  });

  it("gives no peer and no address prefix more rooms than its share", () => {
    const roster = new Roster({ ...limits, rooms: 10 }, 1000);
    const stay = (room: string, peer: string, prefix: string | null): HubLimit | null =>
      roster.sign({ room, fit: "" }, entry(peer), 0, prefix);
    expect([stay("1", "x", null), stay("2", "x", null), stay("3", "x", null)]).toEqual([null, null, "roomsPerPeer"]);
    expect([stay("1", "a", "192.0.2"), stay("1", "b", "192.0.2"), stay("4", "b", "192.0.2")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(stay("5", "c", "192.0.2")).toBe("roomsPerPrefix");
    expect([stay("4", "c", "192.0.2"), stay("5", "d", "192.0.3"), stay("6", "e", null)]).toEqual([null, null, null]);
    for (const peer of ["a", "x"]) roster.leave(peer);
    expect(stay("5", "f", "192.0.2")).toBe("roomsPerPrefix");
    roster.leave("c");
    expect([stay("3", "x", null), stay("5", "f", "192.0.2")]).toEqual([null, "roomsPerPrefix"]);
    roster.leave("b");
    expect(stay("5", "f", "192.0.2")).toBe(null);
  });

  it("forgets the silent and those who go, and their rooms with them", () => {
    const roster = new Roster(limits, 1000);
    guests(roster, A, 2);
    roster.sign(B, entry("a0"), 900, null);
    roster.tick(1000);
    expect([roster.rooms, roster.members, roster.has("a0"), roster.has("a1")]).toEqual([1, 1, true, false]);
    expect(names(roster, B, "x")).toEqual(["a0"]);
    roster.sign(B, entry("a0", true), 1001, null);
    expect([roster.rooms, roster.members, roster.has("a0")]).toEqual([0, 0, false]);
  });

  it("forgets a peer in all of its rooms when its socket closes, and nobody else", () => {
    const roster = new Roster(limits, 1000);
    guests(roster, A, 2);
    roster.sign(B, entry("a0"), 0, null);
    roster.leave("a0");
    roster.leave("nobody");
    expect([roster.sizes(), roster.has("a0"), names(roster, A, "x")]).toEqual([[["a", 1]], false, ["a1"]]);
  });

  it("introduces guests of other hubs, whose own limits are those of their hub", () => {
    const told: string[] = [];
    const roster = new Roster(limits, 1000, ({ room }, peer, here) => told.push(`${room} ${peer} ${here}`));
    for (const peer of ["x0", "x1", "x2", "x3"]) roster.hear("hub", A, entry(peer), 0);
    guests(roster, A, 1);
    expect(names(roster, A, "a0").sort()).toEqual(["x0", "x1", "x2"]);
    expect([roster.members, roster.traded, roster.sizes(), roster.has("x0")]).toEqual([1, 3, [["a", 1]], false]);
    expect([...roster.guests()].map(({ entry: { claim } }) => claim.id)).toEqual(["a0"]);
    // Only of its own it tells.
    expect(told).toEqual(["a a0 true"]);
    expect([roster.newsOf(A, "a0", 7)?.ageMs, roster.newsOf(A, "x0", 7)]).toEqual([7, null]);
  });

  it("believes a guest of its own before another hub, the newer of two, and drops those of a hub that is gone", () => {
    const roster = new Roster(limits, 1000);
    roster.sign(A, entry("a0"), 10, null);
    roster.hear("hub", A, entry("a0"), 20);
    roster.unhear("hub", A, "a0");
    expect([roster.members, roster.traded]).toEqual([1, 0]);
    roster.hear("hub", A, entry("x0"), 20);
    roster.hear("other", A, entry("x0"), 10);
    roster.unhear("other", A, "x0");
    expect(roster.traded).toBe(1);
    roster.hear("other", A, entry("x1"), 10);
    roster.forget("hub");
    expect(names(roster, A, "a0")).toEqual(["x1"]);
    roster.leave("a0");
    expect([roster.rooms, roster.members, roster.traded, roster.sizes()]).toEqual([0, 0, 1, []]);
    roster.sign(A, entry("x1"), 30, null);
    expect([roster.rooms, roster.members, roster.traded]).toEqual([1, 1, 0]);
    roster.tick(1029);
    expect(roster.members).toBe(1);
    roster.tick(1030);
    expect([roster.rooms, roster.members]).toEqual([0, 0]);
  });

  it("has a peer once in a room, where what it said last fits", () => {
    const roster = new Roster(limits, 1000);
    guests(roster, A, 1);
    roster.sign({ ...A, fit: "keyed 1" }, entry("a0"), 1, null);
    expect([roster.members, names(roster, A, "x"), roster.misfits(A)]).toEqual([1, [], 1]);
  });
});
