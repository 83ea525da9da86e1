import { kindred, random as uniformly } from "@coterie/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { oneHot } from "../features/index.ts";
import { vectors } from "../features/vectors.ts";
import { createPeer } from "./createPeer.ts";
import { TestClock } from "./testing/clock.ts";

const GENRES = ["news", "games"] as const;
const DEVICES = ["phone", "desktop"] as const;
const items = GENRES.map((genre) => ({ genre, title: `about ${genre}` }));

/** News on a phone and games on a desktop pay 10, all else nothing. */
async function taught() {
  const peer = await createPeer({
    room: "r",
    features: {
      item: { genre: oneHot(GENRES) },
      context: { device: oneHot(DEVICES) },
      cross: [["device", "genre"]],
    },
    reward: { range: [0, 10] },
    tick: false,
    clock: new TestClock(),
    seed: 21,
  });
  for (let k = 0; k < 200; k++) {
    const [genre, device] = [k & 1, (k >> 1) & 1];
    await peer.observe(items, genre, genre === device ? 10 : 0, { context: { device: DEVICES[device] } });
  }
  return peer;
}

describe("score", () => {
  it("says what the peer thinks of each item, as choices are made, and nothing waits because of it", async () => {
    const peer = await taught();
    for (const [k, device] of DEVICES.entries()) {
      const scores = peer.score(items, { context: { device } });
      expect(scores.map(({ index, item }) => [index, item])).toEqual([
        [0, items[0]],
        [1, items[1]],
      ]);
      expect(scores[k].mean).toBeGreaterThan(9);
      expect(Math.abs(scores[1 - k].mean)).toBeLessThan(1);
      const { mean, spread } = scores[k].explain();
      expect([mean, spread]).toEqual([expect.closeTo(scores[k].mean, 9), scores[k].spread]);
      expect(scores[k].score).toBeGreaterThan(scores[k].mean);
      expect(peer.state().pending).toBe(k);
      expect(peer.choose(items, { context: { device } }).index).toBe(k);
    }
    expect(peer.score(items, { context: { device: "phone" }, exclude: (_, index) => index === 0 })).toHaveLength(1);
    expectTypeOf(peer.score(items, { context: { device: "phone" } })[0].item).toEqualTypeOf<(typeof items)[number]>();
    // @ts-expect-error the context is missing
    expect(() => peer.score(items)).toThrow("context");
    await peer.close();
  });

  it("has no score to tell where a policy draws", async () => {
    for (const policy of [kindred({ choice: "thompson" }), uniformly()]) {
      const peer = await createPeer({ room: "r", features: vectors(2), policy, tick: false });
      expect(peer.score([[1, 0]])[0].score).toBeNull();
      await peer.close();
    }
  });
});

describe("weights", () => {
  it("say by name what each coordinate adds to the reward, in the app's unit", async () => {
    const peer = await taught();
    const weights = peer.weights();
    expect(Object.keys(weights)).toEqual(peer.features.names);
    const sum = (...names: string[]): number => names.reduce((total, name) => total + weights[name], 0);
    const of = (device: string, genre: string): number =>
      sum("bias", `device=${device}`, `genre=${genre}`, `device×genre=${device}×${genre}`);
    expect(of("phone", "news")).toBeCloseTo(peer.score(items, { context: { device: "phone" } })[0].mean, 9);
    expect(of("phone", "news")).toBeGreaterThan(9);
    expect(Math.abs(of("desktop", "news"))).toBeLessThan(1);
    await peer.close();
  });
});

describe("pending", () => {
  it("lists what waits, the oldest first, with its coordinates by name", async () => {
    const peer = await taught();
    const context = { device: "phone" } as const;
    const first = peer.choose(items, { context });
    const slate = peer.slate(items, { k: 2, context });
    slate.shown(1);
    const waiting = peer.pending();
    expect(new Set(waiting.map(({ id }) => id))).toEqual(new Set([first.id, ...slate.choices.map(({ id }) => id)]));
    expect(waiting[0].id).toBe(first.id);
    expect(waiting[0].x).toEqual({
      bias: expect.closeTo(1, 12),
      "genre=news": expect.closeTo(1, 12),
      "device=phone": expect.closeTo(1, 12),
      "device×genre=phone×news": expect.closeTo(1, 12),
    });
    expect(waiting.find(({ id }) => id === slate.choices[1].id)!.unseen).toBe(slate.id);
    expect(waiting.filter(({ unseen }) => unseen === null)).toHaveLength(2);
    expect(peer.pending({ most: 1 })).toHaveLength(1);
    await peer.close();
  });
});

describe("an explanation for people", () => {
  it("names the coordinates that count, the weightiest first, and what it rests on", async () => {
    const peer = await taught();
    const { reasons, text, mean } = peer.choose(items, { context: { device: "phone" } }).explain();
    expect(reasons.map(({ name }) => name).sort()).toEqual([
      "bias",
      "device=phone",
      "device×genre=phone×news",
      "genre=news",
    ]);
    expect(reasons[0].name).toBe("device×genre=phone×news");
    expect(reasons.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(mean, 9);
    expect(text).toMatch(
      /^Expected reward (9\.\d+|10), give or take 0\.\d+: device×genre=phone×news \+\d\.\d+, .* From 200 observations: 200 of its own\.$/,
    );
    await peer.close();
  });

  it("says so where nothing is known, and where the item was drawn", async () => {
    const peer = await createPeer({
      room: "r",
      features: { genre: oneHot(GENRES) },
      explore: { floor: 1 },
      tick: false,
      seed: 3,
    });
    expect(peer.choose(items).explain().text).toMatch(
      /^Expected reward 0.*: nothing is known yet\. Drawn at random, to keep exploring\.$/,
    );
    await peer.close();
  });
});
