import { kindred, type Policy, Random, solo, random as uniformly } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import type { PeerOptions } from "./options.ts";
import { settled, TestClock } from "./testing/clock.ts";
import { articles, SCHEMA, type Schema } from "./testing/room.ts";

const clock = new TestClock();
let starts = 0;
const open = (options: Partial<PeerOptions<Schema>> = {}, disk: MemoryDisk = memoryDisk()) =>
  createPeer({
    room: "r",
    features: SCHEMA,
    policy: solo(),
    store: memoryStore(disk),
    tick: { periodMs: 1000 },
    reward: { timeoutMs: 5000, fallback: 0 },
    clock,
    seed: 900 + starts++,
    ...options,
  });
const items = articles(Random.seeded(4), 8);

describe("a slate", () => {
  it("teaches only what was seen: a reward, and the fallback of what was shown", async () => {
    const peer = await open();
    const slate = peer.slate(items, { k: 5 });
    expect(slate.items).toEqual(slate.choices.map(({ item }) => item));
    expect(new Set(slate.choices.map(({ index }) => index)).size).toBe(5);
    slate.shown(3);
    expect(await slate.choices[2].reward(1)).toBe("learned");
    await clock.pass(8000);
    // The one that was clicked, and two that were seen and not; the last two were not.
    expect(peer.state()).toMatchObject({ own: 3, pending: 0 });
    expect(await slate.choices[0].reward(1)).toBe("expired");
    expect(await slate.choices[4].reward(1)).toBe("cancelled");
    expect(peer.state().own).toBe(3);
    await peer.close();
  });

  it("that is cancelled teaches nothing; what was shown before goes on waiting", async () => {
    const peer = await open();
    const slate = peer.slate(items, { k: 4 });
    slate.shown(1);
    slate.cancel();
    slate.shown(4);
    expect(peer.state().pending).toBe(1);
    expect(await slate.choices[1].reward(1)).toBe("cancelled");
    expect(await slate.choices[0].reward(1)).toBe("learned");
    expect(peer.state()).toMatchObject({ own: 1, pending: 0 });
    await peer.close();
  });

  it("is warned of, once, where only clicks are told and what was passed over waits for the fallback", async () => {
    const warned: string[] = [];
    const onEvent = (event: PeerEvent): unknown => event.kind === "warning" && warned.push(event.message);
    for (const told of [false, true]) {
      const peer = await open({ onEvent });
      for (let visit = 0; visit < 40; visit++) {
        const slate = peer.slate(items, { k: 5 });
        slate.shown(3);
        if (told) for (const choice of slate.choices.slice(0, 2)) await choice.reward(0);
        await slate.choices[2].reward(1);
      }
      expect(warned).toEqual([expect.stringContaining("60 choices that were seen wait")]);
      await peer.close();
    }
  });

  it("may be shown bit by bit; a reward says that its item was seen; the wait begins when it is", async () => {
    const peer = await open();
    const slate = peer.slate(items, { k: 3 });
    await clock.pass(4000);
    slate.shown(1);
    slate.shown(0);
    await clock.pass(2500);
    // The first waits since it was shown, the others were not seen in time.
    expect(peer.state()).toMatchObject({ own: 0, pending: 1 });
    const other = peer.slate(items, { k: 3 });
    expect(await other.choices[2].reward(1)).toBe("learned");
    other.shown();
    expect(peer.state().pending).toBe(3);
    expect(() => slate.shown(4)).toThrow("places must be a whole number from 0 to 3, but is 4");
    await peer.close();
  });

  it("survives a restart and a crash, seen or not, by its id", async () => {
    const disk = memoryDisk();
    const before = await open({}, disk);
    const [slate, other] = [before.slate(items, { k: 3 }), before.slate(items, { k: 3 })];
    slate.shown(1);
    await settled();
    const crashed: MemoryDisk = { ...disk, pairs: new Map(disk.pairs), taken: false };
    await before.close();
    for (const left of [crashed, disk]) {
      const after = await open({}, left);
      expect(after.state().pending).toBe(6);
      after.shown(slate.id, 2);
      after.cancel(other.id);
      expect(await after.reward(other.choices[0].id, 1)).toBe("cancelled");
      await clock.pass(8000);
      expect(after.state()).toMatchObject({ own: 2, pending: 0 });
      await after.close();
    }
  });

  it("is kept in a snapshot", async () => {
    const peer = await open();
    const slate = peer.slate(items, { k: 3 });
    slate.shown(1);
    const saved = peer.export();
    await peer.close();
    const other = await open();
    await other.import(saved);
    other.shown(slate.id, 2);
    other.cancel(slate.id);
    expect(other.state().pending).toBe(2);
    expect(await other.reward(slate.choices[2].id, 1)).toBe("cancelled");
    await other.close();
  });

  it("has no item that is excluded, and k must be given", async () => {
    const peer = await open();
    const slate = peer.slate(items, { k: 8, exclude: (_, index) => index % 2 === 0 });
    expect(slate.choices.map(({ index }) => index).sort()).toEqual([1, 3, 5, 7]);
    // @ts-expect-error no k
    expect(() => peer.slate(items, {})).toThrow("k must be a whole number of at least 1");
    await peer.close();
  });
});

describe("a menu of a slate", () => {
  const policies: [string, Policy][] = [
    ["solo", solo()],
    ["kindred", kindred()],
  ];
  it.each(policies)("is scored once and ranked as %s ranks it, place by place", async (_, policy) => {
    const peer = await open({ policy });
    for (const [k, item] of items.entries()) await peer.observe([item], 0, (k % 3) / 2);
    let asked = 0;
    const { learner } = peer.host.peer;
    const score = learner.score!.bind(learner);
    Object.defineProperty(learner, "score", {
      value: (...given: Parameters<typeof score>) => {
        asked += 1;
        score(...given);
      },
    });
    const listed = peer.slate(items, { k: 8 }).choices;
    expect(asked).toBe(1);
    const bounds = listed.map((choice) => choice.explain()).map(({ mean, bonus }) => mean + bonus!);
    expect(bounds).toEqual(bounds.slice().sort((a, b) => b - a));
    expect(listed[0].index).toBe(peer.choose(items).index);
    await peer.close();
  });

  it("gives each place its propensity, given those above it", async () => {
    const peer = await open({ explore: { floor: 0.5 } });
    const counts = new Map<string, { chance: number; times: number }>();
    const few = items.slice(0, 3);
    const times = 4000;
    for (let k = 0; k < times; k++) {
      const slate = peer.slate(few, { k: 2 });
      slate.cancel();
      const key = slate.choices.map(({ index }) => index).join();
      const chance = slate.choices.reduce((product, { propensity }) => product * propensity!, 1);
      const found = counts.get(key) ?? { chance, times: 0 };
      expect(chance).toBe(found.chance);
      counts.set(key, { chance, times: found.times + 1 });
    }
    expect(counts.size).toBe(6);
    let total = 0;
    for (const { chance, times: seen } of counts.values()) {
      expect(Math.abs(seen / times - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / times));
      total += chance;
    }
    expect(total).toBeCloseTo(1, 12);
    await peer.close();
  });

  it("is drawn evenly by a policy that draws evenly", async () => {
    const peer = await open({ policy: uniformly() });
    const slate = peer.slate(items.slice(0, 4), { k: 4 });
    expect(slate.choices.map(({ propensity }) => propensity)).toEqual([1 / 4, 1 / 3, 1 / 2, 1]);
    await peer.close();
  });

  it("is logged place by place; what nobody saw has no reward and is left out of estimates", async () => {
    const peer = await open({ explore: { floor: 0.2 } });
    const entries: { kind: string; id: string; slate?: string; reward?: number | null; items?: unknown[] }[] = [];
    peer.log((entry) => entries.push(entry as (typeof entries)[number]));
    const slate = peer.slate(items, { k: 2 });
    slate.shown(1);
    slate.cancel();
    await slate.choices[0].reward(1);
    await settled();
    expect(entries.map(({ kind, items: offered }) => [kind, offered?.length])).toEqual([
      ["choice", 8],
      ["choice", 7],
      ["expired", undefined],
      ["reward", undefined],
    ]);
    expect(entries[1].slate).toBe(slate.id);
    expect(entries[2]).toMatchObject({ id: slate.choices[1].id, reward: null });
    await peer.close();
  });
});
