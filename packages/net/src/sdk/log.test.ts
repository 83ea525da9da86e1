import { type ChoiceEntry, evaluate, type LogEntry, parseLog, Random, solo, random as uniformly } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { vectors } from "../features/vectors.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import type { PeerOptions } from "./options.ts";
import { settled, TestClock } from "./testing/clock.ts";
import { type Article, articles, SCHEMA, type Schema, worth } from "./testing/room.ts";

const clock = new TestClock();
const open = (options: Partial<PeerOptions<Schema>> = {}) =>
  createPeer({ room: "r", features: SCHEMA, policy: solo(), tick: false, clock, seed: 3, ...options });
const offered: Article[] = [
  { title: "cup", topic: "sport", words: 1500, fresh: true },
  { title: "opera", topic: "arts", words: 0, fresh: false },
  { title: "chips", topic: "tech", words: 3000, fresh: false },
];
const choicesIn = (log: readonly LogEntry[]): ChoiceEntry[] => log.filter((entry) => entry.kind === "choice");
const named = { name: ({ title }: Article) => title };

describe("a peer's log", () => {
  it("has every choice with all items by name, and every reward when it has come", async () => {
    const log: LogEntry[] = [];
    await using peer = await open({ explore: { floor: 0.3 } });
    const stop = peer.log((entry) => log.push(entry), named);
    const choice = peer.choose(offered, { unit: "visitor 7" });
    expect(log).toHaveLength(1);
    expect(log[0]).toEqual({
      version: 1,
      kind: "choice",
      id: choice.id,
      at: clock.now(),
      peer: peer.self,
      unit: "visitor 7",
      items: [
        { name: "cup", x: { bias: 0.5, fresh: 0.5, "topic=sport": 0.5, words: 0.25 } },
        { name: "opera", x: { bias: 0.5, "topic=arts": 0.5 } },
        { name: "chips", x: { bias: 0.5, "topic=tech": 0.5, words: 0.5 } },
      ],
      chosen: choice.index,
      propensity: expect.closeTo(choice.propensity!, 12),
      propensities: expect.any(Array),
    });
    await choice.reward(0.5);
    await choice.reward(1);
    expect(log.slice(1)).toEqual([{ version: 1, kind: "reward", id: choice.id, at: clock.now(), reward: 0.5 }]);
    stop();
    peer.choose(offered);
    expect(log).toHaveLength(2);
  });

  it("gives each item the probability with which it is chosen", async () => {
    const log: LogEntry[] = [];
    await using peer = await open({ explore: { floor: 0.3 } });
    peer.log((entry) => log.push(entry));
    const counts = [0, 0, 0];
    const rounds = 6000;
    for (let k = 0; k < rounds; k++) counts[peer.choose(offered).index] += 1;
    const { propensities } = choicesIn(log)[0];
    expect([...propensities!].sort()).toEqual([0.1, 0.1, 0.8].map((p) => expect.closeTo(p, 12)));
    for (const [k, p] of propensities!.entries()) {
      expect(Math.abs(counts[k] / rounds - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / rounds));
    }
  });

  it("has none where the choice was certain or its chance is not known", async () => {
    const one = async (options: Partial<PeerOptions<Schema>>) => {
      const log: LogEntry[] = [];
      await using peer = await open(options);
      peer.log((entry) => log.push(entry));
      peer.choose(offered);
      return choicesIn(log)[0];
    };
    expect(await one({})).toMatchObject({ propensity: null });
    expect(await one({})).not.toHaveProperty("propensities");
    expect(await one({ policy: solo({ choice: "thompson" }), explore: { floor: 0.5 } })).toMatchObject({
      propensity: null,
    });
    expect(await one({ policy: uniformly() })).toMatchObject({ propensities: [1 / 3, 1 / 3, 1 / 3] });
  });

  it("of a list has each place with what was left, and where the list began", async () => {
    const log: LogEntry[] = [];
    await using peer = await open({ explore: { floor: 0.3 } });
    peer.log((entry) => log.push(entry), named);
    const top = peer.chooseTop(offered, 3, { unit: "u" });
    const entries = choicesIn(log);
    expect(entries.map(({ items }) => items.length)).toEqual([3, 2, 1]);
    expect(entries.map(({ slate }) => slate)).toEqual([undefined, top[0].id, top[0].id]);
    expect(entries.map(({ items, chosen }) => items[chosen].name)).toEqual(top.map(({ item }) => item.title));
    for (const [k, { propensity, unit }] of entries.entries()) {
      expect(propensity).toBeCloseTo(top[k].propensity!, 12);
      expect(unit).toBe("u");
    }
  });

  it("tells of expired choices with the fallback, or with nothing, and of rewards after a restart", async () => {
    for (const fallback of [0.25, undefined]) {
      const disk = memoryDisk();
      const reward = { timeoutMs: 1000, ...(fallback !== undefined && { fallback }) };
      const first = await open({ store: memoryStore(disk), reward });
      const [late, paid] = first.chooseTop(offered, 2);
      await first.close();
      const log: LogEntry[] = [];
      await using second = await open({ store: memoryStore(disk), reward, seed: 4 });
      second.log((entry) => log.push(entry));
      await second.reward(paid.id, 1);
      await clock.pass(2000);
      expect(await second.reward(late.id, 1)).toBe("expired");
      expect(log).toMatchObject([
        { kind: "reward", id: paid.id, reward: 1 },
        { kind: "expired", id: late.id, reward: fallback ?? null },
      ]);
    }
  });

  it("that fails is told as a failure, and the peer goes on", async () => {
    const events: PeerEvent[] = [];
    await using peer = await open({ onEvent: (event) => events.push(event) });
    const log: LogEntry[] = [];
    peer.log(() => {
      throw new Error("disk full");
    });
    peer.log((entry) => log.push(entry));
    const choice = peer.choose(offered);
    expect(await choice.reward(1)).toBe("learned");
    expect(log.map(({ kind }) => kind)).toEqual(["choice", "reward"]);
    expect(events.filter(({ kind }) => kind === "failure")).toHaveLength(2);
  });

  it("leaves out the name of an item that has none, and is told as a failure where a name is no text", async () => {
    const events: PeerEvent[] = [];
    const log: LogEntry[] = [];
    await using peer = await open({ onEvent: (event) => events.push(event) });
    const stop = peer.log((entry) => log.push(entry), {
      name: ({ title }: Article) => (title === "cup" ? title : undefined),
    });
    peer.choose(offered);
    expect(choicesIn(log)[0].items.map(({ name }) => name)).toEqual(["cup", undefined, undefined]);
    stop();
    peer.log((entry) => log.push(entry), { name: () => "" });
    peer.choose(offered);
    expect(log).toHaveLength(1);
    expect(events.filter(({ kind }) => kind === "failure")).toMatchObject([
      { error: { message: expect.stringContaining("the name of an item") } },
    ]);
  });

  it("refuses what is no sink, name, variant or unit", async () => {
    await using peer = await open();
    // @ts-expect-error no function
    expect(() => peer.log("file")).toThrow("log.sink must be a function");
    // @ts-expect-error no function
    expect(() => peer.log(() => {}, { name: "title" })).toThrow("log.name must be a function");
    expect(() => peer.log(() => {}, { variant: "" })).toThrow("log.variant must be a non-empty text");
    expect(() => peer.choose(offered, { unit: "" })).toThrow("unit must be a non-empty text");
    // @ts-expect-error no such option
    expect(() => peer.choose(offered, { visitor: "x" })).toThrow("options.visitor must not be there");
  });

  it("of vectors names them by their places", async () => {
    const log: LogEntry[] = [];
    await using peer = await createPeer({ room: "r", features: vectors(2), policy: solo(), tick: false });
    peer.log((entry) => log.push(entry), { variant: "b" });
    peer.choose([[0.5, 0]]);
    expect(log[0]).toMatchObject({ variant: "b", items: [{ x: { "x[0]": 0.5 } }] });
  });

  it("is what evaluate reads, and says what the peer's readers would have earned elsewhere", async () => {
    const log: LogEntry[] = [];
    const random = Random.seeded(5);
    await using peer = await open({ explore: { floor: 0.4 } });
    peer.log((entry) => log.push(entry), named);
    let tech = 0;
    for (let k = 0; k < 800; k++) {
      const items = articles(random, 4);
      const choice = peer.choose(items);
      tech += items.reduce((sum, item) => sum + worth("tech", item), 0) / items.length;
      await choice.reward(worth("tech", choice.item));
    }
    const read = parseLog(log.map((entry) => JSON.stringify(entry)).join("\n"));
    expect(read).toEqual(log);
    const { targets, earned } = evaluate(read, { targets: ["uniform"] });
    // Here the mean of what was offered is known exactly, and rewards have no noise.
    expect(Math.abs(targets[0].dr.value - tech / 800)).toBeLessThan(0.02);
    expect(earned!.value).toBeGreaterThan(targets[0].dr.high);
  });
});

describe("a shadow that watches", () => {
  it("waits for rewards that come late, across a restart, and learns as if they had come at once", async () => {
    const disk = memoryDisk();
    const shadow = await open({ shadow: true, store: memoryStore(disk) });
    const told = await open({ shadow: true });
    const waiting: { id: string; reward: number }[] = [];
    for (let k = 0; k < 20; k++) {
      const items = articles(Random.seeded(k));
      const index = k % items.length;
      const reward = worth("arts", items[index]);
      const watched = shadow.watch(items, index);
      expect(watched.wouldChoose).toBeGreaterThanOrEqual(0);
      waiting.push({ id: watched.id, reward });
      await told.observe(items, index, reward);
    }
    expect(shadow.state()).toMatchObject({ own: 0, pending: 20 });
    await settled();
    await shadow.close();
    const again = await open({ shadow: true, store: memoryStore(disk), seed: 9 });
    for (const { id, reward } of waiting) expect(await again.reward(id, reward)).toBe("learned");
    expect(again.state()).toMatchObject({ own: 20, pending: 0, estimate: told.state().estimate });
    await again.close();
    await told.close();
  });

  it("logs the app's choice, what it would have done, and the app's propensities", async () => {
    const log: LogEntry[] = [];
    await using shadow = await open({ shadow: true });
    shadow.log((entry) => log.push(entry), named);
    const watched = shadow.watch(offered, 1, { propensities: [0.25, 0.5, 0.25], unit: "u" });
    expect(await watched.reward(1)).toBe("learned");
    expect(await watched.reward(1)).toBe("duplicate");
    expect(log).toMatchObject([
      { chosen: 1, would: watched.wouldChoose, propensity: 0.5, propensities: [0.25, 0.5, 0.25], unit: "u" },
      { kind: "reward", id: watched.id, reward: 1 },
    ]);
  });

  it.each<[string, readonly number[], string]>([
    ["too few", [1], "propensities must be a list of 3"],
    ["not 1 together", [0.5, 0.5, 0.5], "propensities must be 1 together"],
    ["0 for what was chosen", [0.5, 0, 0.5], "propensities[1] must be a number above 0, at most 1, but is 0"],
    ["no number", [Number.NaN, 1, 0], "propensities[0] must be a number from 0 to 1, but is NaN"],
  ])("refuses propensities that are %s", async (_, propensities, message) => {
    await using shadow = await open({ shadow: true });
    expect(() => shadow.watch(offered, 1, { propensities })).toThrow(message);
    expect(() => shadow.watch(offered, 3)).toThrow("index must be a whole number from 0 to 2");
    expect(shadow.state().pending).toBe(0);
  });
});
