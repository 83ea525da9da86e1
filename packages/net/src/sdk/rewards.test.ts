import { ConfigError, Random, solo } from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import { Ledger } from "./ledger.ts";
import { type RewardOptions, Rewards } from "./rewards.ts";
import { settled, TestClock } from "./testing/clock.ts";
import { articles, SCHEMA } from "./testing/room.ts";

const clock = new TestClock();
let starts = 0;
const open = (disk: MemoryDisk, reward?: RewardOptions, onEvent?: (event: PeerEvent) => void) =>
  createPeer({
    room: "r",
    features: SCHEMA,
    policy: solo(),
    store: memoryStore(disk),
    tick: { periodMs: 1000 },
    clock,
    seed: 50 + starts++,
    ...(reward === undefined ? {} : { reward }),
    ...(onEvent === undefined ? {} : { onEvent }),
  });
const offered = articles(Random.seeded(1));

/** As a crash leaves it: what had not reached the disk is gone. */
const copied = (disk: MemoryDisk): MemoryDisk => ({ ...disk, pairs: new Map(disk.pairs), taken: false });

describe("a reward", () => {
  it("is learned once", async () => {
    const peer = await open(memoryDisk());
    const choice = peer.choose(offered);
    expect(await choice.reward(1)).toBe("learned");
    expect(await choice.reward(0.4)).toBe("duplicate");
    expect(await peer.reward(choice.id, 1)).toBe("duplicate");
    expect(peer.state()).toMatchObject({ own: 1, pending: 0 });
    await peer.close();
  });

  it("given twice at the same time is learned once, and neither answer is ahead of the disk", async () => {
    const disk = memoryDisk();
    const peer = await open(disk);
    const choice = peer.choose(offered);
    const seen = [1, 0.5].map(async (value) => {
      const answer = await choice.reward(value);
      const survivor = await open(copied(disk));
      const { own } = survivor.state();
      await survivor.close();
      return [answer, own];
    });
    expect(await Promise.all(seen)).toEqual([
      ["learned", 1],
      ["duplicate", 1],
    ]);
    expect(peer.state().own).toBe(1);
    await peer.close();
  });

  it("for what was never chosen is unknown", async () => {
    const peer = await open(memoryDisk());
    expect(await peer.reward("0123456789abcdef", 1)).toBe("unknown");
    expect(await peer.reward("not an id", 1)).toBe("unknown");
    await expect(peer.reward("", 1)).rejects.toThrow(ConfigError);
    await peer.close();
  });

  it("may come after a restart", async () => {
    const disk = memoryDisk();
    const before = await open(disk);
    const [first, second] = before.chooseTop(offered, 2);
    expect(await first.reward(1)).toBe("learned");
    await before.close();
    await expect(before.reward(second.id, 1)).rejects.toThrow("peer must be open");
    const after = await open(disk);
    expect(await after.reward(second.id, 0.4)).toBe("learned");
    expect(await after.reward(first.id, 1)).toBe("duplicate");
    expect(after.state().own).toBe(2);
    await after.close();
  });

  it("for a choice that a crash swallowed is unknown", async () => {
    const disk = memoryDisk();
    const before = await open(disk);
    const written = before.choose(offered);
    await settled();
    const unwritten = before.choose(offered);
    const after = await open(copied(disk));
    expect(await after.reward(unwritten.id, 1)).toBe("unknown");
    expect(await after.reward(written.id, 1)).toBe("learned");
    await after.close();
  });

  it.each([Number.NaN, -0.1, 1.1, Infinity, "1", null, undefined])(
    "of %s is refused, and the choice goes on waiting",
    async (bad) => {
      const peer = await open(memoryDisk());
      const choice = peer.choose(offered);
      await expect(choice.reward(bad as number)).rejects.toThrow(/^reward must be a number from 0 to 1/);
      expect(await choice.reward(1)).toBe("learned");
      await peer.close();
    },
  );
});

describe("a choice that nobody rewards in time", () => {
  it("expires, and its fallback is learnt once", async () => {
    const disk = memoryDisk();
    const peer = await open(disk, { timeoutMs: 5000, fallback: 0.25 });
    const ticked = peer.choose(offered);
    await clock.pass(4000);
    const asked = peer.choose(offered);
    await clock.pass(2000);
    // By a tick, and not yet.
    expect(peer.state()).toMatchObject({ own: 1, pending: 1 });
    expect(await ticked.reward(1)).toBe("expired");
    await peer.close();
    await clock.pass(10_000);
    // By a reward that comes too late, after a restart.
    const after = await open(disk, { timeoutMs: 5000, fallback: 0.25 });
    expect(await after.reward(asked.id, 1)).toBe("expired");
    expect(await after.reward(asked.id, 1)).toBe("expired");
    expect(await after.reward(ticked.id, 1)).toBe("expired");
    await clock.pass(10_000);
    expect(after.state()).toMatchObject({ own: 2, pending: 0 });
    await after.close();
  });

  it("teaches nothing where there is no fallback", async () => {
    const peer = await open(memoryDisk(), { timeoutMs: 5000 });
    const choice = peer.choose(offered);
    await clock.pass(7000);
    expect(await choice.reward(1)).toBe("expired");
    expect(peer.state()).toMatchObject({ own: 0, pending: 0 });
    await peer.close();
  });

  it("gives way when there are too many", () => {
    const ledger = new Ledger(4096, "terms");
    for (let k = 0; k < 1030; k++) {
      ledger.add({ id: k.toString(16).padStart(16, "0"), arm: new Float64Array(4096), due: Infinity });
    }
    expect(ledger.due(0)).toEqual([]);
    expect(ledger.excess().map(({ id }) => Number.parseInt(id, 16))).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

it("choices that nobody rewards and no tick clears away do not pile up", async () => {
  const reward = { pending: 2000 };
  const peer = await createPeer({ room: "r", features: SCHEMA, policy: solo(), tick: false, clock, reward });
  for (let k = 0; k < 5000; k++) peer.choose(offered);
  expect(peer.state().pending).toBeLessThan(2000 + 1024);
  await settled();
  expect(peer.state().pending).toBe(2000);
  await peer.close();
});

describe("the unit", () => {
  const range = fc
    .tuple(fc.double({ min: -1e50, max: 1e50, noNaN: true }), fc.double({ min: -1e50, max: 1e50, noNaN: true }))
    .filter(([low, high]) => low < high && Math.max(Math.abs(low), Math.abs(high)) > 1e-50);

  it("brings every reward within 1, and zero to zero", () => {
    const property = fc.property(range, fc.double({ min: 0, max: 1, noNaN: true }), ([low, high], at) => {
      const rewards = new Rewards({ range: [low, high] });
      const value = Math.min(high, Math.max(low, low + at * (high - low)));
      expect(Math.abs(rewards.learnt(rewards.check("reward", value)))).toBeLessThanOrEqual(1);
      expect(rewards.learnt(0)).toBe(0);
    });
    fc.assert(property);
  });

  it("makes no difference to what is chosen", async () => {
    const peers = [await open(memoryDisk()), await open(memoryDisk(), { range: [-8, 8] })] as const;
    const picks = [0, 1].map(() => [] as number[]);
    for (let k = 0; k < 40; k++) {
      const items = articles(Random.seeded(k));
      for (const [p, peer] of peers.entries()) {
        const choice = peer.choose(items);
        picks[p].push(choice.index);
        await choice.reward(choice.item.fresh ? [0.5, 4][p] : 0);
      }
    }
    expect(picks[1]).toEqual(picks[0]);
    const [small, large] = peers.map((peer) => peer.choose(offered).explain().mean);
    expect(large / small).toBeCloseTo(8, 9);
    for (const peer of peers) await peer.close();
  });

  it.each([
    [{ range: [1, 1] }, "reward.range"],
    [{ range: [0, Infinity] }, "reward.range[1]"],
    [{ range: [0, 1e-200] }, "reward.range"],
    [{ range: [0] }, "reward.range"],
    [{ fallback: 2 }, "reward.fallback"],
    [{ timeoutMs: 0 }, "reward.timeoutMs"],
    [{ timeout: 3 }, "reward.timeout"],
    [{ pending: 0 }, "reward.pending"],
  ])("%j names %s", (options, field) => {
    expect(() => new Rewards(options as RewardOptions)).toThrow(
      expect.objectContaining({ name: "ConfigError", field }),
    );
  });
});

it("a disk that fails is told of: by the reward that waits for it, and as an event where nobody waits", async () => {
  const events: PeerEvent[] = [];
  const disk = memoryDisk();
  const peer = await open(disk, undefined, (event) => events.push(event));
  const choice = peer.choose(offered);
  await settled();
  disk.pairs.set = () => {
    throw new Error("the disk is gone");
  };
  await expect(choice.reward(1)).rejects.toThrow("the disk is gone");
  await expect(choice.reward(1)).rejects.toThrow("the disk is gone");
  // Choosing goes on.
  expect(peer.choose(offered).item).toBeDefined();
  await settled();
  expect(events).toContainEqual({ kind: "failure", error: expect.objectContaining({ name: "StoreError" }) });
});
