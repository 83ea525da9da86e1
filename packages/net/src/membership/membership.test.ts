import { log2, Random } from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FAILURE_MS, MEMBERSHIP_LIMITS, MOST_HOPS, REFRESH_MS, removeMs, suspectMs } from "./limits.ts";
import { Membership } from "./membership.ts";
import { tagOf } from "./pulse.ts";
import { entry, Simulation } from "./testing/simulation.ts";

const seed = fc.integer({ min: 0, max: 1_000_000 });
const REMOVE_MS = removeMs(20);
/** A round of gossip takes half a second. */
const ROUND = 500;

describe("a room that gossips", () => {
  it("is known to all within O(log n) rounds, though messages are lost", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 2, max: 30 }), fc.double({ min: 0, max: 0.3, noNaN: true }), (s, n, loss) => {
        const room = new Simulation(n, s, loss);
        const took = room.until(() => room.peers.every(({ size }) => size === n - 1), 120_000);
        expect(took / ROUND).toBeLessThanOrEqual(6 * log2(n) + 24);
      }),
      { numRuns: 30 },
    );
  });

  it("suspects nobody while nothing is lost", () => {
    const room = new Simulation(20, 4);
    room.until(() => room.peers.every(({ size }) => size === 19), 60_000);
    room.run(5000);
    for (let k = 0; k < 40; k++) {
      room.run(500);
      expect(room.peers.every((peer) => peer.alive(room.now).length === 19)).toBe(true);
    }
  });

  it("tells an entry about once to whoever lacks it, not in every message", () => {
    const room = new Simulation(24, 6);
    room.until(() => room.peers.every(({ size }) => size === 23), 60_000);
    room.run(2 * REFRESH_MS);
    const before = room.entries;
    room.run(10 * REFRESH_MS);
    // Signed anew ten times by each, and told to 23 others; twice where two tell it at once.
    expect((room.entries - before) / (10 * 24 * 23)).toBeLessThan(2);
  });

  it("tells a newcomer everybody in the first answer", () => {
    const room = new Simulation(24, 6);
    room.run(20_000);
    const [old, late] = [room.peers[3]!, new Membership("late", 1, room.now)];
    late.publish(entry("late", 1), room.now);
    const asked = late.pack(room.now, Random.seeded(1), old.self);
    for (const one of asked.news) old.learn(one, room.now);
    old.hear("late", asked.pulses, room.now);
    for (const one of old.pack(room.now, Random.seeded(1), "late").news) late.learn(one, room.now);
    expect(late.alive(room.now)).toHaveLength(24);
    // And nothing of that again.
    expect(old.pack(room.now, Random.seeded(1), "late").news).toEqual([]);
  });

  it("chooses no dead peer after 5 s, and gives it up once, later", () => {
    fc.assert(
      fc.property(seed, (s) => {
        const room = new Simulation(12, s);
        room.run(20_000);
        room.down.add("p3");
        room.run(5000);
        expect(room.agree("p3", false)).toBe(true);
        room.run(2 * REMOVE_MS);
        const left = room.events.filter(({ event }) => event.kind === "left");
        expect(left.map(({ event }) => event.peer)).toEqual(Array.from({ length: 11 }, () => "p3"));
        expect(new Set(left.map(({ at }) => at)).size).toBe(11);
        expect(room.agree("p3", false)).toBe(true);
      }),
      { numRuns: 5 },
    );
  });

  it("takes back one that paused for 5 s without its ever having left", () => {
    const room = new Simulation(12, 8);
    room.run(20_000);
    room.down.add("p5");
    room.run(5000);
    room.down.delete("p5");
    expect(room.until(() => room.agree("p5", true), 20_000)).toBeLessThan(10_000);
    expect(room.peers[5]!.alive(room.now)).toHaveLength(11);
    expect(room.events.filter(({ event }) => event.kind === "left")).toEqual([]);
  });

  it("takes back one that starts anew, even after it was given up, and even if its clock went back", () => {
    for (const incarnation of [2, 0]) {
      const room = new Simulation(10, 9);
      room.run(20_000);
      room.down.add("p5");
      room.run(REMOVE_MS + 10_000);
      expect(room.peers[1]!.size).toBe(8);
      room.restart(5, incarnation);
      expect(room.until(() => room.agree("p5", true), 60_000)).toBeLessThan(60_000);
    }
  });
});

describe("one peer's view", () => {
  const at = (now: number, ...known: ReturnType<typeof entry>[]): Membership => {
    const view = new Membership("me", 5, 0);
    for (const one of known) view.learn({ entry: one, ageMs: 0 }, now);
    return view;
  };

  it("whatever the order of what it hears, the newest claim wins and no stale one changes anything", () => {
    const claims = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9 })), { minLength: 1 });
    fc.assert(
      fc.property(claims, (list) => {
        const view = at(0);
        let newest = -1;
        let now = 0;
        for (const [incarnation, heartbeat] of list) {
          now += 1000;
          const one = entry("a", heartbeat, { incarnation, addresses: [`/a/${incarnation}/${heartbeat}`] });
          const age = incarnation * 10 + heartbeat;
          const before = view.suspicion("a", now);
          view.learn({ entry: one, ageMs: 0 }, now);
          if (age <= newest) expect(view.suspicion("a", now)).toBe(before);
          newest = Math.max(newest, age);
          expect(view.addresses("a")).toEqual([`/a/${Math.floor(newest / 10)}/${newest % 10}`]);
        }
      }),
    );
  });

  it("one given up stays so until it says something newer", () => {
    const view = at(0, entry("a", 7));
    expect(view.tick(1000)).toEqual([]);
    for (let now = 2000; now < REMOVE_MS; now += 1000) expect(view.tick(now)).toEqual([]);
    expect(view.tick(REMOVE_MS)).toEqual([{ kind: "left", peer: "a" }]);
    for (const heartbeat of [1, 6, 7]) {
      expect(view.learn({ entry: entry("a", heartbeat), ageMs: 0 }, REMOVE_MS + 1)).toEqual([]);
      expect(view.alive(REMOVE_MS + 1)).toEqual([]);
    }
    const back = view.learn({ entry: entry("a", 8), ageMs: 0 }, REMOVE_MS + 2);
    expect(back).toEqual([{ kind: "joined", peer: "a" }]);
    expect(view.alive(REMOVE_MS + 2)).toEqual(["a"]);
  });

  it("counts the age of news: what was passed on late is not a sign of life", () => {
    const view = at(0);
    view.learn({ entry: entry("a", 1), ageMs: suspectMs(2) + 1 }, 100_000);
    expect(view.alive(100_000)).toEqual([]);
    view.learn({ entry: entry("a", 2), ageMs: 100 }, 100_000);
    expect(view.alive(100_000)).toEqual(["a"]);
  });

  it("takes signs of life from anybody, but not for ever from hand to hand", () => {
    const a = entry("a", 1);
    const tag = tagOf(a.claim);
    const view = at(0, a);
    view.hear("b", [{ tag, ageMs: 100, hops: MOST_HOPS - 1 }], 10_000);
    expect(view.suspicion("a", 10_000)).toBe(100);
    expect(view.pack(10_000, Random.seeded(1)).pulses).toContainEqual({ tag, ageMs: 100, hops: MOST_HOPS });
    view.hear("b", [{ tag, ageMs: 0, hops: MOST_HOPS }], 20_000);
    view.hear("b", [{ tag: tagOf(entry("a", 2).claim), ageMs: 0, hops: 0 }], 20_000);
    expect(view.suspicion("a", 20_000)).toBe(10_100);
  });

  it("no false sign of life makes a living peer seem silent", () => {
    const lies = fc.array(fc.record({ ageMs: fc.nat(1e6), hops: fc.nat(255) }), { maxLength: 20 });
    fc.assert(
      fc.property(lies, (said) => {
        const a = entry("a", 1);
        const tag = tagOf(a.claim);
        const view = at(0, a);
        for (const lie of said) view.hear("liar", [{ tag, ...lie }], 50_000);
        view.hear("b", [{ tag, ageMs: 300, hops: 2 }], 60_000);
        expect(view.suspicion("a", 60_000)).toBeLessThanOrEqual(300);
      }),
    );
  });

  it("two failures make a suspect, contact and time clear it", () => {
    const view = at(0, entry("a", 1));
    view.failed("a", 10);
    expect(view.alive(10)).toEqual(["a"]);
    view.failed("a", 20);
    expect(view.alive(20)).toEqual([]);
    expect(view.doubtful(20)).toEqual(["a"]);
    view.contact("a", 30);
    expect(view.alive(30)).toEqual(["a"]);
    view.failed("a", 40);
    view.failed("a", 40);
    view.learn({ entry: entry("a", 2), ageMs: 0 }, 1040);
    expect(view.suspicion("a", 1040)).toBeCloseTo(2 * FAILURE_MS - 250, 9);
    view.learn({ entry: entry("a", 3), ageMs: 0 }, 20_040);
    expect(view.alive(20_040)).toEqual(["a"]);
  });

  it("knows a sleep of its own from the silence of others", () => {
    const view = at(0, entry("a", 1), entry("b", 1));
    view.tick(500);
    view.tick(3_600_000);
    expect(view.alive(3_600_000)).toEqual(["a", "b"]);
  });

  it("a farewell is passed on and believed at once; one that does not serve is no partner", () => {
    const view = at(0, entry("a", 1), entry("b", 1, { serves: false }));
    expect(view.alive(1)).toEqual(["a"]);
    expect(view.reachable(1)).toEqual(["a", "b"]);
    view.learn({ entry: entry("a", 2, { leaving: true }), ageMs: 0 }, 2);
    expect(view.alive(2)).toEqual([]);
    view.hear("b", [], 2);
    const told = view.pack(2, Random.seeded(1), "b").news.map(({ entry: { claim } }) => [claim.id, claim.leaving]);
    expect(told).toContainEqual(["a", true]);
    expect(view.learn({ entry: entry("b", 2), ageMs: 0 }, 600)).toEqual([{ kind: "joined", peer: "b" }]);
  });

  it("is bounded, lets the living stay, and takes a newcomer for a suspect", () => {
    const { members, entries } = MEMBERSHIP_LIMITS;
    const view = at(0, ...Array.from({ length: members }, (_, k) => entry(`p${k}`, 1)));
    expect(view.learn({ entry: entry("late", 1), ageMs: 0 }, 1)).toEqual([]);
    expect(view.size).toBe(members);
    view.hear("p1", [], 1);
    const { news, pulses } = view.pack(1, Random.seeded(1), "p1");
    expect(news).toHaveLength(entries);
    expect(pulses).toHaveLength(members);
    view.learn({ entry: entry("p7", 2, { leaving: true }), ageMs: 0 }, 1);
    expect(view.learn({ entry: entry("late", 1), ageMs: 0 }, 2)).toEqual([
      { kind: "left", peer: "p7" },
      { kind: "joined", peer: "late" },
    ]);
    expect(view.size).toBe(members);
  });
});
