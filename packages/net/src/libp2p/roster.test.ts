import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import type { SignedEntry } from "../membership/entry.ts";
import { MEMBERSHIP_LIMITS } from "../membership/limits.ts";
import { type Place, Roster } from "./roster.ts";

const A: Place = { room: "a", fit: "open 1" };
const B: Place = { room: "b", fit: "open 1" };
const entry = (id: string, leaving = false): SignedEntry => ({
  claim: { id, addresses: [], incarnation: 1, heartbeat: 1, serves: true, leaving },
  bytes: new Uint8Array(),
  signature: new Uint8Array(),
});
const limits = { rooms: 2, membersPerRoom: 40, members: 60 };
const guests = (roster: Roster, place: Place, count: number, from = 0): boolean[] =>
  Array.from({ length: count }, (_, k) => roster.sign(place, entry(`${place.room}${from + k}`), 0));
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

  it("gives as many as a message may hold", () => {
    const roster = new Roster(limits, 1000);
    guests(roster, A, 40);
    expect(new Set(names(roster, A, "x")).size).toBe(MEMBERSHIP_LIMITS.entries);
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
    expect(guests(roster, A, 41).filter(Boolean)).toHaveLength(40);
    expect(guests(roster, B, 30).filter(Boolean)).toHaveLength(20);
    expect(roster.hasSpace("c0", { room: "c", fit: "" })).toBe(false);
    expect(roster.sign(A, entry("a0"), 1)).toBe(true);
    expect([roster.rooms, roster.members]).toEqual([2, 60]);
  });

  it("forgets the silent and those who go, and their rooms with them", () => {
    const roster = new Roster(limits, 1000);
    guests(roster, A, 2);
    roster.sign(B, entry("a0"), 900);
    roster.tick(1000);
    expect([roster.rooms, roster.members, roster.has("a0"), roster.has("a1")]).toEqual([1, 1, true, false]);
    roster.sign(B, entry("a0", true), 1001);
    expect([roster.rooms, roster.members, roster.has("a0")]).toEqual([0, 0, false]);
  });
});
