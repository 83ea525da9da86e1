import { Random } from "@coterie/core";
import { log2 } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Census } from "./census.ts";
import type { News } from "./entry.ts";
import { CENSUS_MS, EXPIRE_MS, FIRST_TRY_MS, FRESH_MS, KIN_SIZE, SWAP_SIZE, VIEW_SIZE } from "./limits.ts";
import { Membership } from "./membership.ts";
import { entry, Simulation } from "./testing/simulation.ts";

const seed = fc.integer({ min: 0, max: 1_000_000 });
/** Between two swaps of a peer. */
const ROUND = 2000;

describe("a room that fits into a view", () => {
  it("is known to all within O(log n) rounds, though messages are lost", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 2, max: 30 }), fc.double({ min: 0, max: 0.2, noNaN: true }), (s, n, loss) => {
        const room = new Simulation(n, s, loss);
        // Whoever does not answer is buried for a while: not all know all at the same time then.
        const met = (): number => new Set(room.events.map(({ at, event }) => `${at} ${event.peer}`)).size;
        const took = room.until(() => met() === n * (n - 1), 120_000);
        expect(took / ROUND).toBeLessThanOrEqual(3 * log2(n) + 12);
      }),
      { numRuns: 20 },
    );
  });

  it("stays known while nothing is lost, and its size is exact", () => {
    const room = new Simulation(24, 4);
    room.until(() => room.peers.every(({ size }) => size === 23), 60_000);
    for (let k = 0; k < 60; k++) {
      room.run(2000);
      expect(room.peers.every((peer) => peer.alive().length === 23 && peer.count === 24)).toBe(true);
    }
  });

  it("sends no more than a swap's entries", () => {
    const room = new Simulation(24, 6);
    room.run(20_000);
    const before = room.entries;
    room.run(60_000);
    // Each begins a swap every 2 s, and both sides send.
    expect((room.entries - before) / 24 / 30).toBeLessThanOrEqual(2.3 * SWAP_SIZE);
  });

  it("loses sight of one that dies as soon as its entry is old, whoever still tells of it, and once", () => {
    fc.assert(
      fc.property(seed, (s) => {
        const room = new Simulation(12, s);
        room.run(20_000);
        room.down.add("p3");
        const before = room.events.length;
        room.run(EXPIRE_MS + 4000);
        expect(room.agree("p3", false)).toBe(true);
        room.run(60_000);
        const moved = room.events.slice(before).filter(({ event }) => event.peer === "p3");
        expect(moved.map(({ event }) => event.kind)).toEqual(Array.from({ length: 11 }, () => "left"));
      }),
      { numRuns: 5 },
    );
  });

  it("has one back that paused, or that starts anew, even if its clock went back", () => {
    for (const incarnation of [null, 2, 0]) {
      const room = new Simulation(10, 9);
      room.run(20_000);
      room.down.add("p5");
      room.run(incarnation === null ? 5000 : 60_000);
      if (incarnation === null) room.down.delete("p5");
      else room.restart(5, incarnation);
      expect(room.until(() => room.agree("p5", true), 90_000)).toBeLessThan(90_000);
    }
  });

  it("finds together again after it was cut in two", () => {
    const room = new Simulation(12, 3);
    room.run(20_000);
    for (const [i, peer] of room.peers.entries()) {
      for (let j = 0; j < 12; j++) if (i % 2 !== j % 2) peer.lost(`p${j}`, room.now);
    }
    expect(room.peers[0]!.alive()).toHaveLength(5);
    expect(room.until(() => room.peers.every(({ size }) => size === 11), 60_000)).toBeLessThan(60_000);
  });
});

describe("a room larger than a view", () => {
  const room = new Simulation(300, 5);
  room.run(60_000);

  it("is in views evenly: none is full of the same, nobody is unknown", () => {
    const degrees = new Map(room.peers.map(({ self }) => [self, 0]));
    for (const peer of room.peers) {
      expect(peer.size).toBeGreaterThanOrEqual(VIEW_SIZE - 2);
      for (const other of peer.reachable()) degrees.set(other, degrees.get(other)! + 1);
    }
    const counts = [...degrees.values()].sort((a, b) => a - b);
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts.at(-1)! / counts[150]!).toBeLessThan(3);
  });

  it("is estimated to within a factor of two by most", () => {
    const good = room.peers.filter(({ count }) => count > 150 && count < 600);
    expect(good.length).toBeGreaterThan(270);
  });
});

describe("one peer's view", () => {
  const at = (now: number, ...known: ReturnType<typeof entry>[]): Membership => {
    const view = new Membership("me", 5, Random.seeded(1), 0);
    for (const one of known) view.learn(news(one), "other", "gossip", now);
    return view;
  };
  const news = (one: ReturnType<typeof entry>, ageMs = 0): News => ({ entry: one, ageMs });
  const names = (count: number): string[] => Array.from({ length: count }, (_, k) => `p${String(k).padStart(2, "0")}`);

  it("whatever the order of what it hears, the newest claim wins and no stale one changes anything", () => {
    const claims = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9 })), { minLength: 1 });
    fc.assert(
      fc.property(claims, (list) => {
        const view = at(0);
        let [newest, now] = [-1, 0];
        for (const [incarnation, heartbeat] of list) {
          now += 1000;
          const one = entry("a", heartbeat, { incarnation, addresses: [`/a/${incarnation}/${heartbeat}`] });
          const age = incarnation * 10 + heartbeat;
          const before = view.age("a", now);
          view.learn(news(one), "b", "gossip", now);
          if (age <= newest) expect(view.age("a", now)).toBe(before);
          newest = Math.max(newest, age);
          expect(view.addresses("a")).toEqual([`/a/${Math.floor(newest / 10)}/${newest % 10}`]);
        }
      }),
    );
  });

  it("is not made younger by hearsay: only by the signer's newer entry, or by itself", () => {
    const view = at(0, entry("a", 7));
    for (const heartbeat of [6, 7]) view.learn(news(entry("a", heartbeat)), "b", "gossip", 10_000);
    view.contact("b", 10_000);
    expect(view.age("a", 10_000)).toBe(10_000);
    view.learn(news(entry("a", 8), 2000), "b", "gossip", 12_000);
    expect(view.age("a", 12_000)).toBe(2000);
    view.contact("a", 13_000);
    expect(view.age("a", 13_000)).toBe(0);
    // What it passes on is as old as the signature.
    expect(view.pack("c", "gossip", 13_000).map(({ ageMs }) => ageMs)).toEqual([3000]);
  });

  it("drops an entry that is too old, and takes none", () => {
    const view = at(0, entry("a", 1));
    expect(view.learn(news(entry("b", 1), EXPIRE_MS), "c", "gossip", 10)).toEqual([]);
    for (let now = 0; now < EXPIRE_MS; now += 2000) expect(view.tick(now)).toEqual([]);
    expect(view.tick(EXPIRE_MS)).toEqual([{ kind: "left", peer: "a" }]);
    expect(view.alive()).toEqual([]);
  });

  it("one buried stays so until it signs something later, or calls", () => {
    const view = at(0, entry("a", 7), entry("b", 1));
    expect(view.lost("a", 10_000)).toEqual([{ kind: "left", peer: "a" }]);
    // Newer than what was known, and signed before it was buried.
    expect(view.learn(news(entry("a", 9), 3000), "b", "gossip", 12_000)).toEqual([]);
    expect(view.learn(news(entry("a", 7), 1000), "b", "gossip", 12_000)).toEqual([]);
    // Later by less than messages may have been on their way.
    expect(view.learn(news(entry("a", 9), 1000), "b", "gossip", 12_000)).toEqual([]);
    expect(view.learn(news(entry("a", 9), 900), "b", "gossip", 12_000)).toEqual([{ kind: "joined", peer: "a" }]);
    view.lost("a", 13_000);
    expect(view.learn(news(entry("a", 9), 2000), "a", "gossip", 13_000)).toEqual([{ kind: "joined", peer: "a" }]);
    // Somebody who was in no view is buried all the same.
    view.lost("c", 14_000);
    expect(view.learn(news(entry("c", 1), 1000), "b", "gossip", 14_500)).toEqual([]);
  });

  it("tries the buried again, ever less often, but not those who said goodbye", () => {
    const view = at(0, entry("a", 1), entry("b", 1));
    view.lost("a", 0);
    view.learn(news(entry("b", 2, { leaving: true })), "b", "gossip", 0);
    expect(view.alive()).toEqual([]);
    // Nobody else is left.
    expect(view.doubtful(0)).toEqual(["a"]);
    view.learn(news(entry("c", 1)), "c", "gossip", 0);
    expect(view.doubtful(FIRST_TRY_MS - 1)).toEqual([]);
    expect(view.doubtful(FIRST_TRY_MS)).toEqual(["a"]);
    view.lost("a", FIRST_TRY_MS);
    expect(view.doubtful(2 * FIRST_TRY_MS)).toEqual([]);
    expect(view.doubtful(5 * FIRST_TRY_MS)).toEqual(["a"]);
  });

  it("tells one whose clock went back what it said before", () => {
    const view = at(0, entry("a", 7, { incarnation: 9 }));
    view.learn(news(entry("a", 1, { incarnation: 3 })), "a", "gossip", 1000);
    const told = view.pack("a", "gossip", 1000).map(({ entry: { claim } }) => [claim.id, claim.incarnation]);
    expect(told).toEqual([["a", 9]]);
    const other = new Membership("a", 3, Random.seeded(1), 0);
    for (const one of view.pack("b", "gossip", 1000)) other.learn(one, "me", "gossip", 1000);
    expect(other.beat({ addresses: [], serves: true, leaving: false }).incarnation).toBe(10);
  });

  it("knows a sleep of its own from the silence of others", () => {
    const view = at(0, entry("a", 1), entry("b", 1));
    view.tick(500);
    expect(view.tick(3_600_000)).toEqual([]);
    expect(view.alive()).toEqual(["a", "b"]);
  });

  it("looks at a signature only for what is new", () => {
    const view = at(0, entry("a", 1));
    const wants = (one: ReturnType<typeof entry>, now: number, from = "b"): boolean =>
      view.wants(news(one), from, "gossip", now);
    expect([wants(entry("a", 2), FRESH_MS), wants(entry("a", 2), FRESH_MS + 1)]).toEqual([false, true]);
    expect(wants(entry("a", 2, { addresses: ["/other"] }), 1)).toBe(true);
    expect([wants(entry("me", 1), 1), wants(entry("me", 1, { incarnation: 6 }), 1)]).toEqual([false, true]);
    expect(wants(entry("x", 1, { leaving: true }), 1)).toBe(false);
  });

  it("in a full view what comes takes the place of what was sent, and no more than that", () => {
    const view = at(0, ...names(VIEW_SIZE).map((name) => entry(name, 1)));
    const sent = view.pack("q", "gossip", 1).map(({ entry: { claim } }) => claim.id);
    expect(sent).toHaveLength(SWAP_SIZE - 1);
    for (let k = 0; k < 3 * SWAP_SIZE; k++) view.learn(news(entry(`n${k}`, 1)), "q", "gossip", 2);
    expect(view.size).toBe(VIEW_SIZE);
    // Those it was offered first; then as many again, which it gets in return.
    for (const peer of sent) expect(view.reachable()).not.toContain(peer);
    expect(view.reachable().filter((peer) => peer.startsWith("n"))).toHaveLength(2 * (SWAP_SIZE - 1));
    const owed = view.pack("q", "gossip", 3).map(({ entry: { claim } }) => claim.id);
    expect(owed).toHaveLength(SWAP_SIZE - 1);
    for (const peer of owed) expect([peer.startsWith("p"), view.reachable().includes(peer)]).toEqual([true, false]);
    // Whoever speaks for itself gets in, for the oldest.
    view.learn(news(entry("me too", 1)), "me too", "gossip", 4);
    expect([view.size, view.alive().includes("me too")]).toEqual([VIEW_SIZE, true]);
  });

  it("keeps the origins of records in a view of their own, its kin first, and names them to others", () => {
    const view = new Membership("me", 5, Random.seeded(1), 0, (peer) => peer.startsWith("kin"));
    for (const name of names(VIEW_SIZE)) view.learn(news(entry(name, 1)), "q", "gossip", 0);
    view.learn(news(entry("kin1", 1)), "q", "exchange", 0);
    for (let k = 0; k < 2 * KIN_SIZE; k++) view.learn(news(entry(`o${k}`, 1)), "q", "exchange", k);
    expect(view.size).toBe(VIEW_SIZE);
    expect(view.alive()).toHaveLength(VIEW_SIZE + KIN_SIZE);
    expect(view.alive()).toContain("kin1");
    view.bring("r", ["kin1", "unknown", "p03"]);
    const told = (): string[] => view.pack("r", "exchange", 100).map(({ entry: { claim } }) => claim.id);
    expect(told()).toEqual(["kin1", "p03"]);
    expect(told()).toEqual([]);
    expect(view.lost("kin1", 200)).toEqual([]);
    expect(view.alive()).not.toContain("kin1");
  });
});

it("a census counts those who are seen again", () => {
  const random = Random.seeded(3);
  const census = new Census();
  for (let k = 0; k < 8; k++) {
    for (let draw = 0; draw < 120; draw++) census.note(`p${random.below(1000)}`, k * CENSUS_MS);
  }
  expect(census.size).toBeGreaterThan(500);
  expect(census.size).toBeLessThan(2000);
});

it("a room's size does not follow from who is connected: what a peer says of itself is not counted", () => {
  const random = Random.seeded(3);
  const me = new Membership("me", 1, Random.seeded(1), 0);
  const neighbours = Array.from({ length: 6 }, (_, k) => `n${k}`);
  for (let now = 0; now < 12 * CENSUS_MS; now += 1000) {
    const from = neighbours[(now / 1000) % 6]!;
    // A full view, and six of a room of 4,000 that are met again and again.
    const some = Array.from({ length: 11 }, () => `p${random.below(4000)}`);
    const news = [from, ...some].map((peer) => ({ entry: entry(peer, now), ageMs: 0 }));
    for (const one of news) me.learn(one, from, "gossip", now);
    me.counted(news, from, now);
  }
  expect(me.count).toBeGreaterThan(2000);
  expect(me.count).toBeLessThan(8000);
});
