import { Random } from "@coterie/core";
import { log2 } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Census } from "./census.ts";
import type { News } from "./entry.ts";
import { CENSUS_MS, EXPIRE_MS, FIRST_TRY_MS, FRESH_MS, KIN_SIZE, OWN_MS, SWAP_SIZE, VIEW_SIZE } from "./limits.ts";
import { Membership } from "./membership.ts";
import type { Route } from "./shares.ts";
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
      expect(room.peers.every((peer) => peer.entries.alive().length === 23 && peer.count === 24)).toBe(true);
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
      for (let j = 0; j < 12; j++) if (i % 2 !== j % 2) peer.entries.lost(`p${j}`, room.now);
    }
    expect(room.peers[0]!.entries.alive()).toHaveLength(5);
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
      for (const other of peer.entries.reachable()) degrees.set(other, degrees.get(other)! + 1);
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
          const before = view.entries.age("a", now);
          view.learn(news(one), "b", "gossip", now);
          if (age <= newest) expect(view.entries.age("a", now)).toBe(before);
          newest = Math.max(newest, age);
          expect(view.entries.addresses("a")).toEqual([`/a/${Math.floor(newest / 10)}/${newest % 10}`]);
        }
      }),
    );
  });

  it("is not made younger by hearsay: only by the signer's newer entry, or by itself", () => {
    const view = at(0, entry("a", 7));
    for (const heartbeat of [6, 7]) view.learn(news(entry("a", heartbeat)), "b", "gossip", 10_000);
    view.entries.contact("b", 10_000);
    expect(view.entries.age("a", 10_000)).toBe(10_000);
    view.learn(news(entry("a", 8), 2000), "b", "gossip", 12_000);
    expect(view.entries.age("a", 12_000)).toBe(2000);
    view.entries.contact("a", 13_000);
    expect(view.entries.age("a", 13_000)).toBe(0);
    // What it passes on is as old as the signature.
    expect(view.pack("c", "gossip", 13_000).map(({ ageMs }) => ageMs)).toEqual([3000]);
  });

  it("drops an entry that is too old, and takes none", () => {
    const view = at(0, entry("a", 1));
    expect(view.learn(news(entry("b", 1), EXPIRE_MS), "c", "gossip", 10)).toEqual([]);
    for (let now = 0; now < EXPIRE_MS; now += 2000) expect(view.tick(now)).toEqual([]);
    expect(view.tick(EXPIRE_MS)).toEqual([{ kind: "left", peer: "a" }]);
    expect(view.entries.alive()).toEqual([]);
  });

  it("one buried stays so until it signs something later, or calls", () => {
    const view = at(0, entry("a", 7), entry("b", 1));
    expect(view.entries.lost("a", 10_000)).toEqual([{ kind: "left", peer: "a" }]);
    // Newer than what was known, and signed before it was buried.
    expect(view.learn(news(entry("a", 9), 3000), "b", "gossip", 12_000)).toEqual([]);
    expect(view.learn(news(entry("a", 7), 1000), "b", "gossip", 12_000)).toEqual([]);
    // Later by less than messages may have been on their way.
    expect(view.learn(news(entry("a", 9), 1000), "b", "gossip", 12_000)).toEqual([]);
    expect(view.learn(news(entry("a", 9), 900), "b", "gossip", 12_000)).toEqual([{ kind: "joined", peer: "a" }]);
    view.entries.lost("a", 13_000);
    expect(view.learn(news(entry("a", 9), 2000), "a", "gossip", 13_000)).toEqual([{ kind: "joined", peer: "a" }]);
    // Somebody who was in no view is buried all the same.
    view.entries.lost("c", 14_000);
    expect(view.learn(news(entry("c", 1), 1000), "b", "gossip", 14_500)).toEqual([]);
  });

  it("one buried is back with a newer entry of other addresses: the call that failed says nothing of them", () => {
    const view = at(0, entry("a", 7, { addresses: [] }), entry("b", 1));
    view.entries.lost("a", 10_000);
    const later = entry("a", 8, { addresses: ["/hub/p2p-circuit"] });
    expect(view.learn(news(entry("a", 8, { addresses: [] }), 10), "b", "gossip", 10_005)).toEqual([]);
    expect(view.learn(news(later, 10), "b", "gossip", 10_005)).toEqual([{ kind: "joined", peer: "a" }]);
  });

  it("one that said goodbye comes back by what it signs after that, not by what it said before and comes later", () => {
    const view = at(0, entry("a", 7), entry("b", 1));
    expect(view.entries.gone("a", 10_000)).toEqual([{ kind: "left", peer: "a" }]);
    expect(view.learn(news(entry("a", 7), 1000), "a", "exchange", 10_100)).toEqual([]);
    const moved = entry("a", 8, { addresses: ["/hub/p2p-circuit"] });
    expect(view.learn(news(moved, 1000), "b", "gossip", 10_100)).toEqual([]);
    expect(view.doubtful(60_000)).toEqual([]);
    expect(view.learn(news(entry("a", 8)), "a", "gossip", 10_200)).toEqual([{ kind: "joined", peer: "a" }]);
  });

  it("tries the buried again, ever less often, but not those who said goodbye", () => {
    const view = at(0, entry("a", 1), entry("b", 1));
    view.entries.lost("a", 0);
    view.learn(news(entry("b", 2, { leaving: true })), "b", "gossip", 0);
    expect(view.entries.alive()).toEqual([]);
    // Nobody else is left.
    expect(view.doubtful(0)).toEqual(["a"]);
    view.learn(news(entry("c", 1)), "c", "gossip", 0);
    expect(view.doubtful(FIRST_TRY_MS - 1)).toEqual([]);
    expect(view.doubtful(FIRST_TRY_MS)).toEqual(["a"]);
    view.entries.lost("a", FIRST_TRY_MS);
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
    expect(other.own.beat({ addresses: [], serves: true, leaving: false }).incarnation).toBe(10);
  });

  it("knows a sleep of its own from the silence of others", () => {
    const view = at(0, entry("a", 1), entry("b", 1));
    view.tick(500);
    expect(view.tick(3_600_000)).toEqual([]);
    expect(view.entries.alive()).toEqual(["a", "b"]);
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
    const view = new Membership("me", 5, Random.seeded(1), 0);
    for (const name of names(VIEW_SIZE)) view.learn(news(entry(name, 1)), name, "gossip", 0);
    const sent = view.pack("q", "gossip", 1).map(({ entry: { claim } }) => claim.id);
    expect(sent).toHaveLength(SWAP_SIZE - 1);
    for (let k = 0; k < 3 * SWAP_SIZE; k++) {
      view.learn(news(entry(`n${k}`, 1)), "q", "gossip", 2);
      // Else they would be more than one may bring.
      view.entries.reached(`n${k}`, 2);
    }
    expect(view.size).toBe(VIEW_SIZE);
    // Those it was offered first; then as many again, which it gets in return.
    for (const peer of sent) expect(view.entries.reachable()).not.toContain(peer);
    expect(view.entries.reachable().filter((peer) => peer.startsWith("n"))).toHaveLength(2 * (SWAP_SIZE - 1));
    const owed = view.pack("q", "gossip", 3).map(({ entry: { claim } }) => claim.id);
    expect(owed).toHaveLength(SWAP_SIZE - 1);
    for (const peer of owed)
      expect([peer.startsWith("p"), view.entries.reachable().includes(peer)]).toEqual([true, false]);
    // Whoever speaks for itself gets in, for the oldest.
    view.learn(news(entry("me too", 1)), "me too", "gossip", 4);
    expect([view.size, view.entries.alive().includes("me too")]).toEqual([VIEW_SIZE, true]);
  });

  it("takes so many names from one introducer and from one prefix, until they were reached; fewer where those were of no use", () => {
    let doubts = 0;
    const fresh = () =>
      new Membership("me", 5, Random.seeded(1), 0, undefined, {
        any: () => doubts > 0,
        of: (source) => (source === "by q" ? doubts : 0),
        stands: () => false,
      });
    const bring = (view: Membership, from: string, count: number, change = {}, via?: Route): void => {
      for (let k = 0; k < count; k++) view.learn(news(entry(`${from}${k}`, 1, change)), from, "gossip", 1, via);
    };
    const view = fresh();
    bring(view, "q", VIEW_SIZE);
    expect([view.size, view.entries.unreached]).toEqual([12, 12]);
    for (const peer of view.entries.reachable()) view.entries.reached(peer, 2);
    bring(view, "q", VIEW_SIZE);
    expect([view.size, view.entries.unreached]).toEqual([24, 12]);
    doubts = 3;
    view.tick(3);
    expect(view.entries.unreached).toBe(3);
    // Whoever calls itself, from one prefix; a hub's word is not held against it, its guests' addresses are.
    const there = { prefix: "192.0.2", scope: "everywhere", hub: false } as const;
    const other = fresh();
    // While there is room, all of one office are known. Where there is none, those beyond its share make room for others, and no more of it are taken.
    for (let k = 0; k < 2 * VIEW_SIZE; k++) other.learn(news(entry(`c${k}`, 1)), `c${k}`, "gossip", 1, there);
    expect(other.size).toBe(VIEW_SIZE);
    const ofOffice = (): number => other.entries.reachable().filter((peer) => peer.startsWith("c")).length;
    bring(other, "h", VIEW_SIZE, { addresses: ["/ip4/192.0.2.9/tcp/1"] }, { ...there, prefix: null, hub: true });
    expect(ofOffice()).toBe(VIEW_SIZE);
    bring(other, "h", 16, { addresses: ["/ip4/192.0.2.9/tcp/1/p2p/x/p2p-circuit"] }, { ...there, hub: true });
    expect([other.size, ofOffice()]).toEqual([VIEW_SIZE, 16]);
  });

  it("is not full of names beyond the share of their address prefix: they make room, are no room's size, and no reason to give up on the buried", () => {
    let doubts = 0;
    const view = new Membership("me", 5, Random.seeded(1), 0, undefined, {
      any: () => doubts > 0,
      of: (source) => (source === "from 192.0.2" ? doubts : 0),
      stands: () => false,
    });
    const there = { prefix: "192.0.2", scope: "everywhere", hub: false } as const;
    const elsewhere = { ...there, prefix: "198.51.100" };
    view.learn(news(entry("friend", 1)), "friend", "gossip", 0, elsewhere);
    view.entries.lost("friend", 0);
    for (let k = 0; k < VIEW_SIZE; k++) view.learn(news(entry(`c${k}`, 1)), `c${k}`, "gossip", k, there);
    expect([view.size, view.doubtful(FIRST_TRY_MS)]).toEqual([VIEW_SIZE, ["friend"]]);
    const told = Array.from({ length: 200 }, (_, k) => news(entry(`n${k}`, 1)));
    for (const now of [100, 15_200, 30_300]) view.counted(told, "c0", now);
    expect(view.count).toBe(VIEW_SIZE + 1);
    // In doubt they count for nobody, and stay: what is dropped and comes back would cost a signature each time.
    doubts = 3;
    for (let now = 100; now < 110; now++) expect(view.tick(now)).toEqual([]);
    expect([view.size, view.count]).toEqual([VIEW_SIZE, 1]);
    // The one known longest goes first; not who answered lately.
    view.entries.reached("c0", 110);
    view.learn(news(entry("guest", 1)), "guest", "gossip", 111, elsewhere);
    const left = view.entries.reachable();
    expect([left.includes("guest"), left.includes("c0"), left.includes("c1")]).toEqual([true, true, false]);
  });

  it("those that answered lately keep their places in a full view, whoever comes", () => {
    const view = new Membership("me", 5, Random.seeded(1), 0);
    for (const name of names(VIEW_SIZE)) view.learn(news(entry(name, 1)), name, "gossip", 0);
    const own = names(8);
    for (const peer of own) view.entries.reached(peer, 1000);
    for (let k = 0; k < 200; k++) view.learn(news(entry(`n${k}`, 1)), `n${k}`, "gossip", 2000 + k);
    expect(view.entries.reachable().filter((peer) => own.includes(peer))).toEqual(own);
    expect(view.size).toBe(VIEW_SIZE);
  });

  it("those that keep their places are told of in no swap: who never leaves would be in ever more views", () => {
    const view = new Membership("me", 5, Random.seeded(1), 0);
    for (const name of names(VIEW_SIZE)) view.learn(news(entry(name, 1)), name, "gossip", 0);
    const own = names(8);
    for (const peer of own) view.entries.reached(peer, 1000);
    const told = (now: number): string[] =>
      Array.from({ length: 20 }, (_, k) => view.pack(`q${k}`, "gossip", now)).flatMap((all) =>
        all.map(({ entry: { claim } }) => claim.id),
      );
    expect(told(2000).filter((peer) => own.includes(peer))).toEqual([]);
    // They are, once that is long ago.
    expect(told(1001 + OWN_MS).filter((peer) => own.includes(peer)).length).toBeGreaterThan(0);
  });

  it("keeps the origins of records in a view of their own, its kin first, and names them to others", () => {
    const view = new Membership("me", 5, Random.seeded(1), 0, (peer) => peer.startsWith("kin"));
    for (const name of names(VIEW_SIZE)) view.learn(news(entry(name, 1)), name, "gossip", 0);
    view.learn(news(entry("kin1", 1)), "q", "exchange", 0);
    for (let k = 0; k < 2 * KIN_SIZE; k++) view.learn(news(entry(`o${k}`, 1)), "q", "exchange", k);
    expect(view.size).toBe(VIEW_SIZE);
    expect(view.entries.alive()).toHaveLength(VIEW_SIZE + KIN_SIZE);
    expect(view.entries.alive()).toContain("kin1");
    view.bring("r", ["kin1", "unknown", "p03"]);
    const told = (): string[] => view.pack("r", "exchange", 100).map(({ entry: { claim } }) => claim.id);
    expect(told()).toEqual(["kin1", "p03"]);
    expect(told()).toEqual([]);
    // Called as kin, it stays where it is; another one that calls to exchange is taken into view.
    view.learn(news(entry("kin1", 2)), "kin1", "exchange", 150);
    view.learn(news(entry("caller", 1)), "caller", "exchange", 150);
    expect(["kin1", "caller"].map((peer) => view.entries.reachable().includes(peer))).toEqual([false, true]);
    expect(view.entries.lost("kin1", 200)).toEqual([]);
    expect(view.entries.alive()).not.toContain("kin1");
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
