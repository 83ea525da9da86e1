import { dccb, kindred, Random, solo, random as uniformly } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { vectors } from "../features/vectors.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerOptions } from "./options.ts";
import { TestClock } from "./testing/clock.ts";
import { articles, read, SCHEMA, type Schema, TestRoom, worth } from "./testing/room.ts";

const open = (options: Partial<PeerOptions<Schema>> = {}) =>
  createPeer({ room: "r", features: SCHEMA, policy: solo(), tick: false, clock: new TestClock(), seed: 3, ...options });

async function taught(options: Partial<PeerOptions<Schema>> = {}) {
  const peer = await open(options);
  const random = Random.seeded(8);
  for (let k = 0; k < 60; k++) {
    const items = articles(random);
    await peer.observe(items, k % items.length, worth("arts", items[k % items.length]));
  }
  return peer;
}

describe("explain", () => {
  it("adds up: shares make the mean, and mean and bonus the score that was largest", async () => {
    const peer = await taught();
    const items = articles(Random.seeded(2), 9);
    const scores = peer.chooseTop(items, 9).map((choice) => {
      const { mean, bonus, shares } = choice.explain();
      expect(Object.keys(shares).sort()).toEqual(["bias", "fresh", "topic", "words"]);
      expect(shares.bias + shares.topic + shares.words + shares.fresh).toBeCloseTo(mean, 12);
      expect(bonus).toBeGreaterThan(0);
      return mean + bonus!;
    });
    expect(scores).toEqual(scores.slice().sort((a, b) => b - a));
    expect(new Set(scores).size).toBeGreaterThan(5);
    const { mean } = peer.choose([{ topic: "arts", words: 10, fresh: true }]).explain();
    expect(Math.abs(mean - 0.9)).toBeLessThan(0.15);
    await peer.close();
  });

  it("speaks of the moment of the choice", async () => {
    const peer = await taught();
    const choice = peer.choose(articles(Random.seeded(2)));
    const before = choice.explain();
    await choice.reward(0);
    expect(choice.explain()).toEqual(before);
    expect(peer.choose([choice.item]).explain().mean).not.toBe(before.mean);
    await peer.close();
  });

  it("says how much was borrowed, and from how many", async () => {
    const alone = await taught();
    expect(alone.choose(articles(Random.seeded(2))).explain()).toMatchObject({ own: 60, borrowed: 0, neighbours: 0 });
    await alone.close();
    const room = new TestRoom();
    for (const name of ["a1", "a2", "a3"]) await room.open(name);
    await read(room, 20, () => "arts");
    const told = room.peers
      .get("a1")!
      .choose(articles(Random.seeded(2)))
      .explain();
    expect(told).toMatchObject({ own: 20, neighbours: 2 });
    expect(told.borrowed).toBeGreaterThan(20);
    expect(told.borrowed).toBeCloseTo(told.evidence - told.own, 12);
    await room.close();
  });

  it.each([
    ["kindred", kindred()],
    ["dccb with bridge", dccb({ bridge: true, delay: { rounds: 3 } })],
  ] as const)("tells the bonus of %s: mean and bonus are the score that was largest", async (_, policy) => {
    const room = new TestRoom(policy);
    for (const name of ["a1", "a2", "a3"]) await room.open(name);
    await read(room, 20, () => "arts");
    const scores = room.peers
      .get("a1")!
      .chooseTop(articles(Random.seeded(2), 9), 9)
      .map((choice) => {
        const { mean, bonus, spread } = choice.explain();
        expect(bonus).toBeGreaterThan(0);
        expect(spread).toBe(bonus);
        return mean + bonus!;
      });
    expect(scores).toEqual(scores.slice().sort((a, b) => b - a));
    expect(new Set(scores).size).toBeGreaterThan(5);
    await room.close();
  });

  it("names what kindred borrowed, and how many lent it", async () => {
    const room = new TestRoom(kindred());
    for (const name of ["a1", "a2", "a3"]) await room.open(name);
    await read(room, 40, () => "arts");
    const told = room.peers
      .get("a1")!
      .choose(articles(Random.seeded(2)))
      .explain();
    expect(told).toMatchObject({ own: 40, neighbours: 2 });
    // Without noise they know enough after a few rounds, and ask for more ever less often.
    expect(told.borrowed).toBeGreaterThan(10);
    expect(told.borrowed).toBeLessThanOrEqual(80);
    await room.close();
  });

  it("says where what others gave is set aside, and so does the state", async () => {
    // Too far apart to be of use to each other, and never parted.
    const stubborn = dccb({ delay: { rounds: 2 }, threshold: { kind: "practical", factor: 100 }, guard: true });
    for (const [taste, aside] of [
      ["sport", 1],
      ["arts", 0],
    ] as const) {
      const room = new TestRoom(stubborn);
      for (const name of ["a", "b", "c", "d"]) await room.open(name);
      await read(room, 40, (name) => (name === "a" ? "arts" : taste));
      const peer = room.peers.get("a")!;
      const told = peer.choose(articles(Random.seeded(2))).explain();
      expect(told.aside).toBe(aside);
      expect(told.borrowed > 0).toBe(aside === 0);
      expect(peer.state().aside).toBe(aside);
      await room.close();
    }
    const alone = await taught();
    expect(alone.choose(articles(Random.seeded(2))).explain().aside).toBeNull();
    expect(alone.state().aside).toBeNull();
    await alone.close();
  });

  it("gives no bonus to what was drawn, but says how widely it was", async () => {
    for (const policy of [solo({ choice: "thompson" }), kindred({ choice: "thompson" })]) {
      const peer = await taught({ policy });
      const { bonus, spread } = peer.choose(articles(Random.seeded(2))).explain();
      expect(bonus).toBeNull();
      expect(spread).toBeGreaterThan(0);
      await peer.close();
    }
    const peer = await open({ policy: uniformly() });
    expect(peer.choose(articles(Random.seeded(2))).explain()).toMatchObject({ bonus: null, spread: null });
    await peer.close();
  });
});

describe("chooseTop", () => {
  it("gives distinct items, the first being what choose gives, each with an id of its own", async () => {
    const peer = await taught();
    const items = articles(Random.seeded(2), 12);
    const top = peer.chooseTop(items, 5);
    expect(new Set(top.map(({ index }) => index)).size).toBe(5);
    expect(new Set(top.map(({ id }) => id)).size).toBe(5);
    expect(top[0].index).toBe(peer.choose(items).index);
    for (const { item, index } of top) expect(item).toBe(items[index]);
    // The rest are what it would choose were the better ones not there.
    for (let k = 1; k < 5; k++) {
      const rest = items.filter((item) => top.slice(0, k).every((better) => better.item !== item));
      expect(peer.choose(rest).item).toBe(top[k].item);
    }
    expect(await top[4].reward(1)).toBe("learned");
    expect(await top[0].reward(0)).toBe("learned");
    expect(peer.chooseTop(items, 99).length).toBe(12);
    expect(() => peer.chooseTop(items, 0)).toThrow("k must be a whole number");
    await peer.close();
  });
});

describe("explore", () => {
  it("draws as often as it says, and every choice tells its chance", async () => {
    const peer = await taught({ explore: { floor: 0.3 } });
    const items = articles(Random.seeded(2), 5);
    const best = (await taught()).choose(items).index;
    const counts = new Array<number>(5).fill(0);
    const rounds = 20_000;
    for (let k = 0; k < rounds; k++) {
      const { index, propensity, explain: _ } = peer.choose(items);
      expect(propensity).toBeCloseTo(index === best ? 0.76 : 0.06, 12);
      counts[index] += 1;
    }
    for (const [index, count] of counts.entries()) {
      const p = index === best ? 0.76 : 0.06;
      expect(Math.abs(count / rounds - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / rounds));
    }
    await peer.close();
  });

  it("tells no chance where the choice was certain, or its chance is not known", async () => {
    const items = articles(Random.seeded(2), 5);
    const propensity = async (options: Partial<PeerOptions<Schema>>) => {
      const peer = await open(options);
      const choice = peer.choose(items);
      await peer.close();
      return choice.propensity;
    };
    expect(await propensity({})).toBeNull();
    expect(await propensity({ policy: solo({ choice: "thompson" }), explore: { floor: 0.5 } })).toBeNull();
    expect(await propensity({ policy: uniformly() })).toBe(0.2);
    expect(await propensity({ explore: { floor: 1 } })).toBeCloseTo(0.2, 12);
  });
});

describe("a peer in shadow mode", () => {
  it("learns what the app did as if it had done it, and says what it would have done", async () => {
    const shadow = await open({ shadow: true });
    const leader = await open();
    let agreed = 0;
    for (let k = 0; k < 30; k++) {
      const items = articles(Random.seeded(k));
      const choice = leader.choose(items);
      const reward = worth("tech", choice.item);
      const { wouldChoose } = await shadow.observe(items, choice.index, reward);
      await choice.reward(reward);
      agreed += wouldChoose === choice.index ? 1 : 0;
    }
    expect(agreed).toBe(30);
    expect(shadow.state()).toMatchObject({ own: 30, estimate: leader.state().estimate, pending: 0 });
    expect(() => shadow.choose(articles(Random.seeded(1)))).toThrow("shadow mode");
    expect(() => shadow.chooseTop(articles(Random.seeded(1)), 2)).toThrow("shadow mode");
    await expect(shadow.observe(articles(Random.seeded(1)), 6, 1)).rejects.toThrow("index must be");
    await expect(shadow.observe(articles(Random.seeded(1)), 0, 2)).rejects.toThrow("reward must be");
    await shadow.close();
    await leader.close();
  });
});

it("raw vectors work too", async () => {
  const peer = await createPeer({ room: "r", features: vectors(3), policy: solo(), tick: false });
  const choice = peer.choose([
    [0.1, 0, 0],
    [0, 0.9, 0],
  ]);
  expect([choice.index, choice.item]).toEqual([1, [0, 0.9, 0]]);
  expect(await choice.reward(1)).toBe("learned");
  expect(choice.explain().shares).toEqual({ "x[0]": 0, "x[1]": 0, "x[2]": 0 });
  await peer.close();
});
