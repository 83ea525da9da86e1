import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { REFRESH_MS } from "../membership/limits.ts";
import { entry, sign } from "../membership/testing/simulation.ts";
import type { GossipEffect, GossipEvent } from "./event.ts";
import { Gossip, type GossipConfig } from "./gossip.ts";
import { BURST_ROUND_MS, RECENT_MS } from "./limits.ts";

const addresses = ["/here"];

/** A node whose driver signs at once and does nothing else. */
function nodeOf(change: Partial<GossipConfig> = {}) {
  const random = Random.seeded(1);
  const config = { self: "me", incarnation: 1, random, bootstrap: [], connections: 6, mayDial: () => true, ...change };
  const node = new Gossip(config, 0);
  const feed = (event: GossipEvent, now = 0): GossipEffect[] =>
    node.step(event, now).flatMap((effect) => {
      if (effect.kind === "remember") return [];
      return effect.kind === "sign" ? [effect, ...feed({ kind: "signed", entry: sign(effect.claim) }, now)] : [effect];
    });
  const round = (now = 0): GossipEffect[] => feed({ kind: "round", addresses }, now);
  return { node, feed, round };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, k) => `p${k}`);
const of = <K extends GossipEffect["kind"]>(effects: readonly GossipEffect[], kind: K) =>
  effects.filter((effect): effect is Extract<GossipEffect, { kind: K }> => effect.kind === kind);

/** The node hears of all of them from the first, and is connected to some. */
function meet(
  { feed }: ReturnType<typeof nodeOf>,
  peers: readonly string[],
  connected: readonly string[],
  now = 0,
): void {
  const news = peers.map((peer) => ({ entry: entry(peer, 1, { addresses: ["/there"] }), ageMs: 0 }));
  feed({ kind: "heard", from: peers[0]!, occasion: "gossip", news, told: news }, now);
  for (const peer of connected) feed({ kind: "opened", connection: { id: `to ${peer}`, peer, relayed: false } }, now);
}

describe("a node", () => {
  it("says who it is, then calls at all addresses it was given", () => {
    const { feed, round } = nodeOf({ bootstrap: ["/a", "/b"] });
    expect(feed({ kind: "moved", addresses })).toMatchObject([{ kind: "sign", claim: { id: "me", addresses } }]);
    const first = round();
    expect(of(first, "contact").map(({ address }) => address)).toEqual(["/a", "/b"]);
    const { ms } = of(first, "round-in")[0]!;
    expect(ms).toBeGreaterThanOrEqual(0.8 * BURST_ROUND_MS);
    expect(ms).toBeLessThanOrEqual(1.2 * BURST_ROUND_MS);
  });

  it("signs its entry anew only when it says something else, or is old", () => {
    const { feed } = nodeOf();
    const signed = (event: GossipEvent, now: number) => of(feed(event, now), "sign").map(({ claim }) => claim);
    expect(signed({ kind: "moved", addresses }, 0)).toHaveLength(1);
    expect(signed({ kind: "moved", addresses }, REFRESH_MS - 1)).toEqual([]);
    expect(signed({ kind: "serves", addresses }, 10)).toMatchObject([{ heartbeat: 2, serves: true }]);
    const [old] = signed({ kind: "moved", addresses }, 10 + REFRESH_MS);
    expect(old).toMatchObject({ heartbeat: 3, serves: true });
    // Its own entry of a later life comes back to it: it must be newer still, and at once.
    const later = { entry: entry("me", 9, { incarnation: 7 }), ageMs: 0 };
    feed({ kind: "heard", from: "a", occasion: "gossip", news: [later], told: [later] }, 20);
    expect(signed({ kind: "moved", addresses }, 11 + REFRESH_MS)).toMatchObject([{ incarnation: 8 }]);
  });

  it("calls those it is connected to, and anybody every 8th round", () => {
    const self = nodeOf();
    const [peers, connected] = [names(30), names(3)];
    meet(self, peers, connected);
    const strangers = [];
    for (let k = 0; k < 160; k++) {
      for (const { peer } of of(self.round(1), "call")) {
        self.feed({ kind: "asking", peer }, 1);
        self.feed({ kind: "answered", peer, work: true }, 1);
        if (!connected.includes(peer)) strangers.push(k % 8);
      }
    }
    expect(new Set(strangers)).toEqual(new Set([3]));
    expect(strangers.length).toBeGreaterThan(5);
  });

  it("calls nobody else while it connects through hubs anyway", () => {
    const room = nodeOf();
    const peers = names(20);
    meet(room, peers, peers.slice(0, 6));
    const strangers = (): number => {
      let count = 0;
      for (let k = 0; k < 32; k++) {
        for (const { peer } of of(room.round(), "call")) {
          if (!peers.slice(0, 6).includes(peer)) count += 1;
          room.feed({ kind: "answered", peer, work: true });
        }
        if (k % 6 === 0 && circuits) {
          const connection = { id: `circuit ${k}`, peer: `far ${k}`, relayed: true, outbound: true };
          room.feed({ kind: "opened", connection });
          room.feed({ kind: "parting", id: connection.id });
          room.feed({ kind: "closed", id: connection.id });
        }
      }
      return count;
    };
    let circuits = false;
    expect(strangers()).toBe(4);
    circuits = true;
    expect(strangers()).toBe(0);
  });

  it("begins nothing while three calls are under way, and goes on when one has failed", () => {
    const self = nodeOf();
    meet(self, names(5), names(5));
    const calls = Array.from({ length: 6 }, () => of(self.round(), "call")).flat();
    expect(calls).toHaveLength(3);
    self.feed({ kind: "asking", peer: calls[0]!.peer });
    self.feed({ kind: "failed", peer: calls[0]!.peer, work: true });
    expect(of(self.round(), "call")).toHaveLength(1);
  });

  it("closes connections beyond what was agreed: those used longest ago, none in use, none it is reached through", () => {
    const self = nodeOf({ connections: 2, bootstrap: ["/hub"] });
    names(5).forEach((peer, k) => {
      meet(self, [peer], [peer], k);
    });
    self.feed({ kind: "reached", address: "/hub", hub: "p0", held: true });
    self.feed({ kind: "asked", peer: "p1" }, 5);
    expect(of(self.round(RECENT_MS), "close")).toEqual([]);
    expect(of(self.round(RECENT_MS + 20), "close").map(({ id }) => id)).toEqual(["to p2", "to p3", "to p4"]);
    for (const peer of ["p2", "p3", "p4"]) self.feed({ kind: "closed", id: `to ${peer}` });
    expect(of(self.round(RECENT_MS + 20), "close")).toEqual([]);
  });

  it("closes those to kin last, but keeps no more than half for them", () => {
    const peers = names(6);
    const room = nodeOf({ isKin: (peer) => peers.slice(0, 5).includes(peer), connections: 4 });
    const open = (peer: string, now: number): unknown =>
      room.feed({ kind: "opened", connection: { id: `to ${peer}`, peer, relayed: false } }, now);
    meet(room, peers, []);
    for (const [k, peer] of peers.entries()) open(peer, k);
    // Of five kin the two used last stay, and the one used longest ago of all others goes first.
    expect(of(room.round(RECENT_MS + 10), "close").map(({ id }) => id)).toEqual(["to p0", "to p1"]);
    room.feed({ kind: "closed", id: "to p0" }, RECENT_MS + 10);
    room.feed({ kind: "closed", id: "to p1" }, RECENT_MS + 10);
    open("p9", RECENT_MS + 11);
    open("p8", RECENT_MS + 12);
    expect(of(room.round(3 * RECENT_MS), "close").map(({ id }) => id)).toEqual(["to p2", "to p5"]);
  });

  it("takes a closed connection for an end, unless the other side said that it makes room, or it does so itself", () => {
    const self = nodeOf({ connections: 1 });
    meet(self, ["a", "b", "c", "d"], ["a", "b", "c"]);
    self.feed({ kind: "parting", id: "to a" }, 1);
    self.feed({ kind: "closed", id: "to a" }, 2);
    expect(self.node.alive()).toEqual(["a", "b", "c", "d"]);
    expect(self.feed({ kind: "closed", id: "to b" }, 3)).toEqual([{ kind: "left", peer: "b" }]);
    expect(self.node.alive()).toEqual(["a", "c", "d"]);
    self.feed({ kind: "opened", connection: { id: "to d", peer: "d", relayed: false } }, 4);
    const closed = of(self.round(RECENT_MS + 10), "close");
    expect(closed).toEqual([{ kind: "close", id: "to c" }]);
    self.feed({ kind: "closed", id: "to c" }, RECENT_MS + 11);
    expect(self.node.alive()).toEqual(["a", "c", "d"]);
    // One call that fails is enough.
    self.feed({ kind: "asking", peer: "a" }, RECENT_MS + 12);
    expect(self.feed({ kind: "failed", peer: "a", work: false }, RECENT_MS + 12)).toEqual([
      { kind: "left", peer: "a" },
    ]);
  });

  it("looks for a way without a hub to whoever answers through one, and then closes the other", () => {
    const self = nodeOf();
    const through = { id: "through a hub", peer: "a", relayed: true };
    self.feed({ kind: "opened", connection: through });
    const answer = (now: number): GossipEffect[] => {
      self.feed({ kind: "asking", peer: "a" }, now);
      return self.feed({ kind: "answered", peer: "a", work: false }, now);
    };
    expect(of(answer(0), "improve")).toEqual([{ kind: "improve", peer: "a" }]);
    expect(of(answer(1), "improve")).toEqual([]);
    self.feed({ kind: "improved" });
    self.feed({ kind: "opened", connection: { id: "direct", peer: "a", relayed: false } });
    expect(of(answer(2), "close")).toEqual([{ kind: "close", id: "through a hub" }]);
  });

  it("looks at once for a hub it was reached through, when that is lost", () => {
    const self = nodeOf({ bootstrap: ["/hub"] });
    for (const { address } of of(self.round(), "contact"))
      self.feed({ kind: "reached", address, hub: "hub", held: true });
    meet(self, ["a", "hub"], ["a", "hub"]);
    expect(of(self.round(1), "contact")).toEqual([]);
    self.feed({ kind: "closed", id: "to hub" });
    expect(of(self.round(2), "contact")).toEqual([{ kind: "contact", address: "/hub", mayBeHub: true }]);
  });

  it("that leaves says so to four it is connected to, to a hub first", () => {
    const self = nodeOf();
    self.feed({ kind: "moved", addresses });
    meet(self, names(7), names(7));
    self.feed({ kind: "reached", address: "/hub", hub: "p6", held: false });
    const last = self.feed({ kind: "leaving", addresses });
    expect(last[0]).toMatchObject({ kind: "sign", claim: { leaving: true } });
    expect(of(last, "call").map(({ peer }) => peer)).toEqual(["p6", "p0", "p1", "p2"]);
  });

  it("whose page goes out of sight says so at once to all but hubs, then nothing until it is shown again", () => {
    const self = nodeOf({ bootstrap: ["/hub"] });
    self.feed({ kind: "moved", addresses });
    meet(self, names(7), names(7));
    self.feed({ kind: "reached", address: "/hub", hub: "p6", held: true });
    // Nothing is signed: there is no time for that.
    expect(self.feed({ kind: "hidden" }, 1)).toEqual(names(6).map((peer) => ({ kind: "farewell", id: `to ${peer}` })));
    expect(self.round(2).map(({ kind }) => kind)).toEqual(["round-in"]);
    expect(self.node.alive()).toEqual([]);
    const shown = self.feed({ kind: "shown", addresses }, 40_000);
    expect(of(shown, "sign")).toMatchObject([{ claim: { leaving: false } }]);
    expect(of(shown, "call")).toHaveLength(1);
    expect(self.node.alive()).toEqual(names(7));
    expect(of(shown, "round-in")[0]!.ms).toBeLessThanOrEqual(1.2 * BURST_ROUND_MS);
  });

  it("out of sight takes nobody for gone, says goodbye to whoever connects still, and shown again signs anew at once", () => {
    const self = nodeOf();
    self.feed({ kind: "moved", addresses });
    meet(self, names(3), names(3));
    self.feed({ kind: "asking", peer: "p1" }, 1);
    self.feed({ kind: "hidden" }, 1);
    self.feed({ kind: "failed", peer: "p1", work: true }, 2);
    // Nor did whoever connects only now hear the goodbye.
    const late = self.feed({ kind: "opened", connection: { id: "late", peer: "p2", relayed: true } }, 2);
    expect(late).toEqual([{ kind: "farewell", id: "late" }]);
    const shown = self.feed({ kind: "shown", addresses }, 3);
    expect(of(shown, "sign")).toHaveLength(1);
    expect(self.node.alive()).toEqual(names(3));
  });

  describe("one that is gone", () => {
    /** Whom a node with such neighbours calls from 5 s after one of them went, however often others still tell of that one. */
    const calledAfter = (went: GossipEvent): Set<string> => {
      const self = nodeOf();
      meet(self, names(4), names(4));
      self.feed(went, 10);
      const called = new Set<string>();
      for (let now = 5010; now < 65_000; now += 500) {
        const living = names(4).filter((peer) => peer !== "p1");
        const news = living.map((peer) => ({ entry: entry(peer, now, { addresses: ["/there"] }), ageMs: 0 }));
        const old = { entry: entry("p1", 1, { addresses: ["/there"] }), ageMs: now };
        for (const from of living)
          self.feed({ kind: "heard", from, occasion: "gossip", news: [...news, old], told: [] }, now);
        expect(self.node.alive()).toEqual(living);
        for (const { peer } of of(self.round(now), "call")) {
          called.add(peer);
          self.feed({ kind: "asking", peer }, now);
          self.feed({ kind: peer === "p1" ? "failed" : "answered", peer, work: true }, now);
        }
      }
      return called;
    };
    const leaving = { entry: entry("p1", 2, { leaving: true }), ageMs: 0 };

    it.each<[string, GossipEvent]>([
      ["said goodbye", { kind: "goodbye", peer: "p1" }],
      ["said so in its entry", { kind: "heard", from: "p1", occasion: "gossip", news: [leaving], told: [leaving] }],
    ])("%s: nobody is asked to meet it, and nobody calls it again", (_, went) => {
      expect(calledAfter(went)).toEqual(new Set(["p0", "p2", "p3"]));
    });

    it("whose connection closed is nobody's partner either; it is tried now and then whether it is back", () => {
      expect(calledAfter({ kind: "closed", id: "to p1" })).toEqual(new Set(names(4)));
    });

    it("is dropped by whoever is not connected to it after one call that fails, for good", () => {
      const self = nodeOf();
      meet(self, names(40), ["p0"]);
      const one = self.node.alive().at(-1)!;
      self.feed({ kind: "asking", peer: one }, 1);
      self.feed({ kind: "failed", peer: one, work: false }, 1);
      for (let now = 1000; now < 20_000; now += 1000) {
        const old = { entry: entry(one, 1, { addresses: ["/there"] }), ageMs: now };
        self.feed({ kind: "heard", from: "p0", occasion: "gossip", news: [old], told: [old] }, now);
        expect(self.node.alive()).not.toContain(one);
        expect(self.node.view()).not.toContain(one);
      }
    });
  });

  it("does the same when the same happens", () => {
    const run = (): unknown => {
      const self = nodeOf({ bootstrap: ["/a"] });
      meet(self, names(20), names(4));
      return Array.from({ length: 50 }, (_, k) => [
        self.round(100 * k),
        self.node.bulletins.pack("p1", "gossip", 100 * k),
      ]);
    };
    expect(run()).toEqual(run());
  });

  it("takes names from a peer that its app named as from a hub, whatever others do at that address", () => {
    const { node, feed } = nodeOf({ bootstrap: ["/ip4/192.0.2.9/tcp/1"] });
    const hear = (from: string, address: string, told: string) => {
      feed({ kind: "opened", connection: { id: from, peer: from, relayed: false, address, outbound: true } });
      const news = [{ entry: entry(told, 1, { addresses: ["/ip4/203.0.113.7/tcp/1"] }), ageMs: 0 }];
      feed({ kind: "heard", from, occasion: "gossip", news, told: news });
      return node.sources(told);
    };
    expect(hear("named", "/ip4/192.0.2.9/tcp/1/p2p/named", "p1")).toEqual(["from 203.0.113"]);
    expect(hear("met", "/ip4/192.0.2.8/tcp/1/p2p/met", "p2")).toEqual(["by met", "from 192.0.2", "from 203.0.113"]);
  });
});
