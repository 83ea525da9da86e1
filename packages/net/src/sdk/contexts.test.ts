import { Random, solo } from "@coterie/core";
import { describe, expect, it, vi } from "vitest";
import { flag, hashed, number, oneHot, vector } from "../features/index.ts";
import { MENUS } from "../features/variation.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import { TestClock } from "./testing/clock.ts";

const GENRES = ["news", "sport", "arts", "games"] as const;
const DEVICES = ["phone", "desktop"] as const;
type Genre = (typeof GENRES)[number];
type Device = (typeof DEVICES)[number];

/** What pays: news on a phone, games on a desktop. */
const worth = (genre: Genre, device: Device): number => (genre === (device === "phone" ? "news" : "games") ? 1 : 0);

const common = { room: "front-page", tick: false, seed: 11 } as const;

/** The share of right choices of `choose`, told of a device at random. */
async function hitRate(choose: (device: Device) => Promise<number>, choices = 400): Promise<number> {
  const random = Random.seeded(5);
  let hits = 0;
  for (let k = 0; k < choices; k++) hits += await choose(DEVICES[random.below(2)]);
  return hits / choices;
}

const shelf = GENRES.map((genre) => ({ genre, title: `about ${genre}` }));

describe("a service whose visitors like other things on other devices", () => {
  it("is right half of the time where the device is the same for all items of a menu, and is told so", async () => {
    const events: PeerEvent[] = [];
    const peer = await createPeer({
      ...common,
      features: { genre: oneHot(GENRES), device: oneHot(DEVICES) },
      onEvent: (event) => events.push(event),
    });
    const rate = await hitRate(async (device) => {
      const choice = peer.choose(shelf.map((item) => ({ ...item, device })));
      const paid = worth(choice.item.genre, device);
      await choice.reward(paid);
      return paid;
    });
    expect(rate).toBeLessThan(0.6);
    expect(events.filter(({ kind }) => kind === "warning")).toEqual([
      {
        kind: "warning",
        features: ["device"],
        message: expect.stringContaining('cross: [["device", "genre"]]'),
      },
    ]);
    await peer.close();
  });

  it("is right at least 95 times in a hundred with two lines: a context, and a cross", async () => {
    const events: PeerEvent[] = [];
    const peer = await createPeer({
      ...common,
      features: {
        item: { genre: oneHot(GENRES) },
        context: { device: oneHot(DEVICES) },
        cross: [["device", "genre"]],
      },
      onEvent: (event) => events.push(event),
    });
    const rate = await hitRate(async (device) => {
      const choice = peer.choose(shelf, { context: { device } });
      const paid = worth(choice.item.genre, device);
      await choice.reward(paid);
      return paid;
    });
    expect(rate).toBeGreaterThan(0.95);
    expect(events.filter(({ kind }) => kind === "warning")).toEqual([]);
    const { shares } = peer.choose(shelf, { context: { device: "desktop" } }).explain();
    expect(shares["device×genre"]).toBeGreaterThan(0.1);
    await peer.close();
  });
});

const open = (onEvent?: (event: PeerEvent) => void) =>
  createPeer({
    ...common,
    clock: new TestClock(),
    features: {
      item: { genre: oneHot(GENRES), words: number(0, 10), fresh: flag() },
      context: { device: oneHot(DEVICES) },
      cross: [["device", "genre"]],
    },
    onBadItem: "skip",
    ...(onEvent !== undefined && { onEvent }),
  });

const good = { genre: "news", words: 3, fresh: true } as const;

describe("an item that cannot be encoded", () => {
  it("is left out with an event that names it; the index is that of the app's list", async () => {
    const events: PeerEvent[] = [];
    const peer = await open((event) => events.push(event));
    const context = { device: "phone" } as const;
    const bad = { ...good, genre: "opera" } as never;
    const choice = peer.choose([bad, good], { context });
    expect([choice.index, choice.item]).toEqual([1, good]);
    expect(events).toEqual([
      expect.objectContaining({ kind: "bad-item", index: 0, field: "items[0].genre", value: "opera" }),
    ]);
    expect(
      peer
        .chooseTop([good, bad, good], 5, { context })
        .map(({ index }) => index)
        .sort(),
    ).toEqual([0, 2]);
    expect((await peer.observe([bad, good], 1, 1, { context })).wouldChoose).toBe(1);
    expect(peer.watch([bad, good], 1, { context }).wouldChoose).toBe(1);
    expect(() => peer.watch([bad, good], 0, { context })).toThrow("index must be that of an item that is not left out");
    expect(() => peer.choose([bad], { context })).toThrow("items[0].genre");
    expect(peer.choose([good, good], { context, exclude: (_, index) => index === 0 }).index).toBe(1);
    await peer.close();
  });
});

describe("types of a choice", () => {
  it("ask for a context where there is one, and refuse it where there is none", async () => {
    const peer = await open();
    // @ts-expect-error the context is missing
    expect(() => peer.choose([good])).toThrow("context must be an object with device, but is missing");
    // @ts-expect-error no such device
    expect(() => peer.choose([good], { context: { device: "tv" } })).toThrow("context.device");
    // @ts-expect-error no such option
    expect(() => peer.choose([good], { context: { device: "phone" }, units: "a" })).toThrow("options.units");
    await peer.close();
    const flat = await createPeer({ ...common, features: { fresh: flag() } });
    // @ts-expect-error none is declared
    expect(() => flat.choose([{ fresh: true }], { context: {} })).toThrow("context must not be given");
    await flat.close();
    // @ts-expect-error no such feature
    const wrong = createPeer({ ...common, features: { item: { fresh: flag() }, cross: [["fresh", "old"]] } });
    await expect(wrong).rejects.toThrow("features.cross[0][1]");
  });
});

describe("a warning", () => {
  it("is told once, for what has not varied in any menu; where nobody listens, on the console", async () => {
    const said = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      const peer = await open();
      const menu = [good, { ...good, genre: "arts", words: 4 } as const];
      for (let k = 0; k < 3 * MENUS; k++) peer.choose(menu, { context: { device: "phone" } });
      expect(said.mock.calls).toEqual([[expect.stringMatching(/^coterie: fresh did not differ.*cross: \[\["fresh"/)]]);
      await peer.close();
      said.mockClear();
      const alone = await createPeer({
        ...common,
        features: { item: { fresh: flag() }, context: { device: oneHot(DEVICES) } },
      });
      for (let k = 0; k < 3; k++) alone.choose([{ fresh: true }], { context: { device: "phone" } });
      expect(said.mock.calls).toEqual([[expect.stringMatching(/device of the context is crossed with nothing/)]]);
      await alone.close();
    } finally {
      said.mockRestore();
    }
  });

  it("names the feature that makes a round slow", async () => {
    const events: PeerEvent[] = [];
    const open = (features: { fresh: ReturnType<typeof flag>; embedding: ReturnType<typeof vector> }) =>
      createPeer({ ...common, features, policy: solo(), onEvent: (event) => events.push(event) });
    await using peer = await open({ fresh: flag(), embedding: vector(300, { project: false }) });
    await using projected = await open({ fresh: flag(), embedding: vector(300) });
    for (let k = 0; k < 2; k++) {
      for (const each of [projected, peer]) each.choose([{ fresh: true, embedding: new Array(300).fill(0) }]);
    }
    const message = expect.stringMatching(/302 coordinates, 300 of them of embedding.*unless it says project: false/);
    expect(events).toEqual([{ kind: "warning", features: ["embedding"], message }]);
    events.length = 0;
    const item = { embedding: vector(300), genre: hashed(4) };
    await using crossing = await createPeer({
      ...common,
      features: { item, cross: [["embedding", "genre"]] },
      policy: solo(),
      onEvent: (event) => events.push(event),
    });
    crossing.choose([{ embedding: new Array(300).fill(0), genre: "a" }]);
    const crossed = expect.stringMatching(
      /325 coordinates, 256 of them of embedding×genre.*Cross features that have fewer/,
    );
    expect(events).toEqual([{ kind: "warning", features: ["embedding×genre"], message: crossed }]);
  });
});
