import { dcb, kindred, Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import type { Fate } from "../link/memory.ts";
import { settled } from "./testing/clock.ts";
import { type Article, articles, QUICK, read, SCHEMA, TestRoom, worth } from "./testing/room.ts";

const NAMES = ["a1", "a2", "a3", "b1", "b2", "b3"];
const likes = (name: string): Article["topic"] => (name.startsWith("a") ? "sport" : "tech");
const others = (name: string): string[] => NAMES.filter((other) => other[0] === name[0] && other !== name);

async function six(options: ConstructorParameters<typeof TestRoom> = []): Promise<TestRoom> {
  const room = new TestRoom(...options);
  for (const name of NAMES) await room.open(name);
  return room;
}

/** How much of what could be had is had from here on, without learning. */
function fit(room: TestRoom, name: string): number {
  const random = Random.seeded(99);
  let [had, best] = [0, 0];
  for (let k = 0; k < 100; k++) {
    const offered = articles(random);
    had += worth(likes(name), room.peers.get(name)!.choose(offered).item);
    best += Math.max(...offered.map((article) => worth(likes(name), article)));
  }
  return had / best;
}

describe("six readers of two kinds", () => {
  it("exchange, and find their own kind", async () => {
    const room = await six();
    await read(room, 60, likes);
    for (const name of NAMES) {
      const state = room.peers.get(name)!.state();
      expect(state.alive).toEqual(NAMES.filter((other) => other !== name));
      expect(state.near).toEqual(others(name));
      expect(state.pruned).toEqual(NAMES.filter((other) => other[0] !== name[0]));
      expect(state.exchanges.mix).toBeGreaterThan(20);
      expect(state.evidence).toBeGreaterThan(state.own);
      // One round a second, however many peers take one another along.
      expect(Math.abs(state.round - 60)).toBeLessThan(10);
      expect(state.massAtRisk).toBe(0);
      expect(fit(room, name)).toBeGreaterThan(0.9);
    }
    const prunes = room.events.filter(({ event }) => event.kind === "prune");
    // Nine pairs part, and each tells it on both sides.
    expect(prunes.length).toBe(18);
    const last = room.events.filter(({ event }) => event.kind === "neighbourhood").at(-1)!.event;
    expect(last).toEqual({ kind: "neighbourhood", members: 5, near: 2 });
    await room.close();
  });

  it("do the same again with the same seeds", async () => {
    const runs: string[] = [];
    for (let run = 0; run < 2; run++) {
      const room = await six();
      await read(room, 25, likes);
      runs.push(JSON.stringify([room.events, NAMES.map((name) => room.peers.get(name)!.state())]));
      await room.close();
    }
    expect(runs[1]).toBe(runs[0]);
  });

  it("meet somebody soon after they start, however long their rounds are", async () => {
    const room = new TestRoom(kindred());
    const tick = { periodMs: 3_600_000 };
    await room.open("a1", { tick });
    await room.clock.pass(1000);
    const late = await room.open("a2", { tick });
    expect(late.state().exchanges).toEqual({});
    await room.clock.pass(300);
    expect(late.state().exchanges).toEqual({ mix: 2 });
    await room.clock.pass(60_000);
    expect(late.state().exchanges).toEqual({ mix: 2 });
    await room.close();
  });

  it("have nothing to do with those they deny, nor with any but those they allow", async () => {
    const room = new TestRoom(kindred());
    await room.open("a1", { peers: { deny: ["a2"] } });
    await room.open("a2");
    await room.open("a3", { peers: { allow: ["a1"] } });
    await read(room, 12, () => "arts");
    const met = (name: string, verdict: string): string[] => {
      const of = room.events.filter(({ peer }) => peer === name).map(({ event }) => event);
      const those = of.flatMap((event) =>
        event.kind === "exchange" && event.verdict === verdict ? event.partner : [],
      );
      return [...new Set(those)].sort();
    };
    expect([met("a1", "mix"), met("a2", "mix"), met("a3", "mix")]).toEqual([["a3"], [], ["a1"]]);
    expect(met("a2", "refused")).toEqual(["a1", "a3"]);
    await room.close();
  });

  it("take in one who comes late, and it knows soon what they know", async () => {
    const room = await six();
    await read(room, 40, likes);
    const late = await room.open("a4");
    expect(late.state()).toMatchObject({ round: 1, own: 0, evidence: 0 });
    // It reads nothing itself: all it knows it has from others.
    room.peers.delete("a4");
    await read(room, 20, likes, 2);
    const state = late.state();
    expect(Math.abs(state.round - room.peers.get("a1")!.state().round)).toBeLessThan(6);
    expect(state.own).toBe(0);
    expect(state.exchanges.mix).toBeGreaterThan(0);
    expect(state.evidence).toBeGreaterThan(10);
    expect(room.peers.get("a1")!.state().alive).toContain("a4");
    await room.close();
  });

  it("miss one that crashes, and have it back with all it was", async () => {
    const room = await six();
    await read(room, 30, likes);
    const waiting = room.peers.get("a2")!.choose(articles(Random.seeded(5)));
    await settled();
    const before = room.peers.get("a2")!.state();
    await room.crash("a2");
    expect(room.peers.get("a1")!.state().alive).not.toContain("a2");
    const back = await room.open("a2");
    const after = back.state();
    expect(after).toMatchObject({
      own: before.own,
      evidence: before.evidence,
      estimate: before.estimate,
      round: before.round,
      alive: before.alive,
      pruned: before.pruned,
      pending: before.pending,
      incarnation: 1,
    });
    expect(await back.reward(waiting.id, 1)).toBe("learned");
    expect(await back.reward(waiting.id, 1)).toBe("duplicate");
    await read(room, 30, likes);
    expect(back.state().near).toEqual(["a1", "a3"]);
    expect(back.state().round).toBeGreaterThan(before.round + 20);
    await room.close();
  });

  it("catch up after a long time away, and nobody's knowledge suffers", async () => {
    const room = await six();
    await read(room, 30, likes);
    const away = room.peers.get("b1")!;
    await away.close();
    room.peers.delete("b1");
    await read(room, 200, likes, 2);
    const back = await room.open("b1");
    const round = back.state().round;
    expect(room.peers.get("b2")!.state().round - round).toBeGreaterThan(150);
    await read(room, 20, likes, 3);
    expect(room.peers.get("b2")!.state().round - back.state().round).toBeLessThan(10);
    // Nobody forgot it when it left: those of the other kind still know that it is not one of theirs.
    expect(back.state().near).toEqual(others("b1"));
    for (const name of NAMES) {
      expect(room.peers.get(name)!.state().near).toEqual(others(name));
      expect(fit(room, name)).toBeGreaterThan(0.9);
    }
    expect(room.peers.get("a1")!.state().exchanges.stranger).toBeUndefined();
    await room.close();
  });

  it("over a bad network lose nothing but time", async () => {
    const random = Random.seeded(4);
    const fates: Fate[] = ["delivered", "delivered", "delivered", "lost", "answer-lost", "twice"];
    const room = await six([dcb({ delay: { rounds: 3 } }), () => fates[random.below(fates.length)]]);
    await read(room, 40, likes);
    for (const peer of room.peers.values()) {
      const { exchanges, massAtRisk, violations } = peer.state();
      expect(exchanges.mix).toBeGreaterThan(10);
      expect(exchanges["in-doubt"]).toBeGreaterThan(0);
      expect(massAtRisk).toBe(0);
      expect(violations).toEqual({});
    }
    await room.close();
  });
});

describe("members", () => {
  it("of another app in the same room are refused, on both sides", async () => {
    const room = new TestRoom();
    const ours = await room.open("ours");
    const theirs = await room.open("theirs", { reward: { range: [0, 5] } });
    await room.clock.pass(5000);
    for (const peer of [ours, theirs]) {
      expect(peer.state().exchanges.refused).toBeGreaterThan(0);
      expect(peer.state().exchanges.mix).toBeUndefined();
    }
    await room.close();
  });

  it("that nobody sees after a restart are not there, and what they have told is kept", async () => {
    const room = new TestRoom();
    for (const name of ["a1", "a2", "a3"]) await room.open(name);
    await room.clock.pass(3000);
    await room.crash("a1");
    await room.peers.get("a2")!.close();
    room.peers.delete("a2");
    const back = await room.open("a1");
    expect(back.state()).toMatchObject({ alive: ["a3"], size: 2 });
    await room.close();
  });

  it("that send nonsense are counted, and nothing else happens", async () => {
    const room = new TestRoom();
    const peer = await room.open("a1");
    const before = peer.state();
    const stranger = room.network.link("stranger");
    await expect(stranger.request("a1", Uint8Array.of(1, 2, 3))).rejects.toThrow();
    const { strangers } = before;
    const counted = { ...strangers, counted: { ...strangers.counted, malformed: 1 } };
    expect(peer.state()).toEqual({ ...before, violations: { version: 1 }, strangers: counted });
    expect(room.events.at(-1)).toMatchObject({
      peer: "a1",
      event: { kind: "violation", partner: "stranger", reason: "version" },
    });
    await room.close();
  });
});

it("a partner that answers nothing is waited for in vain, and only so long", async () => {
  const room = new TestRoom(QUICK);
  const peer = await room.open("a1", { features: SCHEMA });
  await room.open("a2", { tick: false });
  room.network.link("a2").serve(() => new Promise(() => {}));
  await room.clock.pass(3000);
  expect(peer.state()).toMatchObject({ inDoubt: "a2", exchanges: {} });
  // Choosing and learning go on.
  expect(await peer.choose(articles(Random.seeded(1))).reward(1)).toBe("learned");
  await room.clock.pass(12_000);
  expect(peer.state().exchanges["in-doubt"]).toBe(1);
  await peer.close();
  await room.close();
});
