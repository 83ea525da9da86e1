import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dccb, kindred, Random, solo } from "@coterie/core";
import { afterAll, describe, expect, it } from "vitest";
import { flag, number, oneHot, vector, vectors } from "../features/index.ts";
import { folderStore } from "../store/folder/index.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import type { PeerOptions } from "./options.ts";

const GENRES = ["arts", "news", "sport"];
const schema = (genres = GENRES, most = 1000, least = 0) => ({
  genre: oneHot(genres),
  words: number(least, most),
  fresh: flag(),
});
type Schema = ReturnType<typeof schema>;
interface Article {
  readonly genre: string;
  readonly words: number;
  readonly fresh: boolean;
}

let starts = 0;
async function open(disk: MemoryDisk, options: Partial<PeerOptions<Schema>> = {}) {
  const events: PeerEvent[] = [];
  const store = memoryStore(disk);
  const onEvent = (event: PeerEvent): unknown => events.push(event);
  const rest = { seed: 71 + starts++, tick: false as const, onEvent, store };
  const peer = await createPeer<Schema>({ room: "r", features: schema(), ...rest, ...options });
  return { peer, events };
}
type Peer = Awaited<ReturnType<typeof open>>["peer"];

const copyOf = (disk: MemoryDisk): MemoryDisk => ({ ...disk, pairs: new Map(disk.pairs), taken: false });
const menu = (random: Random): Article[] =>
  Array.from({ length: 5 }, () => ({
    genre: GENRES[random.below(3)]!,
    words: random.below(1000),
    fresh: random.below(2) === 1,
  }));
/** What an article pays on average: little more than another, so that there is much to be learnt. */
const worth = ({ genre, words, fresh }: Article): number =>
  0.3 + { arts: 0.2, news: 0.1, sport: 0 }[genre as "arts"] + 0.15 * (words / 1000) + (fresh ? 0.1 : 0);

/** Chooses `rounds` times and returns the regret. */
async function live(peer: Peer, rounds: number, random: Random): Promise<number> {
  let regret = 0;
  for (let round = 0; round < rounds; round++) {
    const items = menu(random);
    const choice = peer.choose(items);
    regret += Math.max(...items.map(worth)) - worth(choice.item);
    const noisy = worth(choice.item) + 0.3 * random.normal();
    await choice.reward(Math.min(Math.max(noisy, 0), 1));
    await peer.tick();
  }
  return regret;
}

const CHANGES: Readonly<Record<string, Partial<PeerOptions<Schema>>>> = {
  "a new genre": { features: schema([...GENRES, "opera", "zoology"]) },
  "another max": { features: schema(GENRES, 2000) },
  "another range of a number": { features: schema(GENRES, 1500, -500) },
  "one more feature": { features: { ...schema(), video: flag() } as unknown as Schema },
  "another range of rewards": { reward: { range: [-1, 3] } },
  "an option of the policy": { policy: kindred({ batch: 2 }) },
};

describe("a deploy with other features", () => {
  it("keeps what a peer has seen: regret afterwards is within 1.1 of no change", { timeout: 300_000 }, async () => {
    const after: Record<string, number> = {};
    const add = (what: string, regret: number): unknown => (after[what] = (after[what] ?? 0) + regret);
    for (let seed = 1; seed <= 60; seed++) {
      const disk = memoryDisk();
      const { peer } = await open(disk);
      await live(peer, 150, Random.seeded(seed));
      await peer.close();
      const goOn = async (what: string, copy: MemoryDisk, options: Partial<PeerOptions<Schema>>) => {
        const { peer: next } = await open(copy, options);
        const video = { video: false };
        const choose = next.choose.bind(next);
        next.choose = ((items: readonly Article[]) => choose(items.map((item) => ({ ...item, ...video })))) as never;
        add(what, await live(next, 60, Random.seeded(seed).fork("after")));
        await next.close();
      };
      await goOn("no change", copyOf(disk), {});
      await goOn("all forgotten", memoryDisk(), {});
      for (const [what, options] of Object.entries(CHANGES)) await goOn(what, copyOf(disk), options);
    }
    const { "no change": none, "all forgotten": forgotten, ...changed } = after;
    for (const regret of Object.values(changed)) expect(regret / none!).toBeLessThan(1.1);
    expect(forgotten! / none!).toBeGreaterThan(1.5);
  });

  it("says what became of it, once; goes back as well", async () => {
    const disk = memoryDisk();
    const { peer } = await open(disk);
    await live(peer, 30, Random.seeded(1));
    const { own, round, origin } = peer.state();
    await peer.close();
    const grown = { features: schema(["arts", "news", "opera"], 3000) };
    const { peer: next, events } = await open(disk, grown);
    expect(events.find(({ kind }) => kind === "migrated")).toEqual({
      kind: "migrated",
      changes: ["features.genre.values: opera new, sport gone", "features.words.max: 3000, was 1000"],
      kept: ["bias", "fresh", "genre=arts", "genre=news", "words"],
      fresh: ["genre=opera"],
      gone: ["genre=sport"],
    });
    // What no item has any more is integrated out, and takes one degree of freedom along.
    expect(next.state()).toMatchObject({ own: own - 1, round, origin });
    await next.close();
    const again = await open(disk, grown);
    expect(again.events).toEqual([]);
    expect(again.peer.state().own).toBe(own - 1);
    await again.peer.close();
    const back = await open(disk);
    expect(back.events.map(({ kind }) => kind)).toEqual(["migrated"]);
    expect(back.peer.state().own).toBe(own - 1);
    await back.peer.close();
  });

  it("rewards what was chosen before it, from a store of files", async () => {
    const path = mkdtempSync(join(tmpdir(), "coterie-deploys-"));
    afterAll(() => rmSync(path, { recursive: true, force: true }));
    const store = folderStore(join(path, "store"));
    const { peer } = await open(memoryDisk(), { store });
    await live(peer, 10, Random.seeded(2));
    const before = peer.choose([{ genre: "arts", words: 900, fresh: true }]);
    const forgotten = peer.choose([{ genre: "news", words: 0, fresh: false }]);
    await before.reward(0.5);
    await peer.close();
    const { peer: next } = await open(memoryDisk(), { store, features: schema([...GENRES, "opera"], 300) });
    expect(next.state()).toMatchObject({ own: 11, pending: 1 });
    expect(await next.reward(before.id, 1)).toBe("duplicate");
    expect(await next.reward(forgotten.id, 1)).toBe("learned");
    expect(next.state().own).toBe(12);
    await next.close();
  });

  it("takes up an export as well", async () => {
    const { peer } = await open(memoryDisk());
    await live(peer, 20, Random.seeded(3));
    const bytes = peer.export({ identity: true });
    const { peer: next, events } = await open(memoryDisk(), { features: schema(GENRES, 5000) });
    await next.import(bytes);
    expect(next.state()).toMatchObject({ own: 20, origin: peer.state().origin });
    expect(events.filter(({ kind }) => kind === "migrated")).toHaveLength(1);
    await peer.close();
    await next.close();
  });

  it("is refused where nothing can be kept, says what differs, and leaves the store as it was", async () => {
    const disk = memoryDisk();
    const policy = dccb();
    const { peer } = await open(disk, { policy });
    await live(peer, 5, Random.seeded(4));
    await peer.close();
    const reward = { range: [-1, 1] as const };
    await expect(open(disk, { policy, reward, features: schema([...GENRES, "opera"]) })).rejects.toThrow(
      'store must have the terms that it was written under, because dccb averages, or be empty (what differs: features.genre.values: opera new; reward.range: [-1,1], was [0,1]), but is "written by another version of this app"',
    );
    await expect(open(disk, { policy: dccb({ delay: { rounds: 3 } }) })).rejects.toThrow(
      "because dccb averages, or be empty (what differs: policy.delay.factor: gone; ",
    );
    await expect(open(disk, { policy: solo() })).rejects.toThrow('policy.kind: "solo", was "dccb"');
    await expect(open(disk, { policy, features: vectors(3) as unknown as Schema })).rejects.toThrow(
      "have a feature in common",
    );
    const { peer: same } = await open(disk, { policy });
    expect(same.state().own).toBe(5);
    await same.close();
  });
});

/** Before long vectors were projected by themselves `vector(n)` meant what `project: false` means. */
describe("a store in which all numbers of a long vector were learnt from", () => {
  const NUMBERS = 110;
  const random = Random.seeded(17);
  const direction = (): number[] => {
    const x = Array.from(random.normals(new Float64Array(NUMBERS)));
    const length = Math.hypot(...x);
    return x.map((value) => value / length);
  };
  const shelf = Array.from({ length: 8 }, () => ({ embedding: direction() }));
  /** The first one is the best. */
  const paid = (index: number): number => (index === 0 ? 0.9 : 0.2);
  const whole = { embedding: vector(NUMBERS, { project: false }) };
  const projected = { embedding: vector(NUMBERS) };

  async function openShelf(disk: MemoryDisk, features: typeof whole, policy = kindred()) {
    const events: PeerEvent[] = [];
    const options = { room: "shelf", seed: 1300 + starts++, tick: false as const, policy, store: memoryStore(disk) };
    const peer = await createPeer({ ...options, features, onEvent: (event) => events.push(event) });
    return { peer, events };
  }

  it("goes on under the projection: the same sums, projected; what differs is said as an app declares it", async () => {
    const disk = memoryDisk();
    const { peer } = await openShelf(disk, whole);
    for (let round = 0; round < 40; round++) {
      await peer.observe(shelf, round % shelf.length, paid(round % shelf.length));
      await peer.tick();
    }
    const waiting = peer.choose(shelf);
    const { own, origin } = peer.state();
    await peer.close();
    const untouched = copyOf(disk);
    const { peer: next, events } = await openShelf(disk, projected);
    const names = Array.from({ length: 64 }, (_, i) => `embedding[~${i}]`);
    expect(events).toEqual([
      {
        kind: "migrated",
        changes: ["features.embedding.project: 64, was false"],
        kept: ["bias", ...names],
        fresh: [],
        gone: [],
      },
    ]);
    expect(next.state()).toMatchObject({ own, origin, pending: 1 });
    expect(next.choose(shelf).index).toBe(0);
    expect(await next.reward(waiting.id, 1)).toBe("learned");
    await next.close();
    const { peer: same, events: none } = await openShelf(untouched, whole);
    expect(none).toEqual([]);
    expect(same.features.dimension).toBe(1 + NUMBERS);
    expect(same.state()).toMatchObject({ own, origin, pending: 1 });
    await same.close();
  });

  it("is refused where averages are shared, with the option that goes on as before", async () => {
    const disk = memoryDisk();
    const { peer } = await openShelf(disk, whole, dccb());
    await peer.observe(shelf, 0, 1);
    await peer.close();
    await expect(openShelf(disk, projected, dccb())).rejects.toThrow(
      "because dccb averages, or be empty (what differs: features.embedding.project: 64, was false)",
    );
    const { peer: same } = await openShelf(disk, whole, dccb());
    expect(same.state().own).toBe(1);
    await same.close();
  });
});
