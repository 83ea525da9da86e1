import { solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { flag, number } from "../features/index.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import type { RewardOptions } from "./rewards.ts";
import type { RewardAnswer } from "./settling.ts";
import { settled, TestClock } from "./testing/clock.ts";

/** `node bench/pending.mjs` does the same with 200,000 pending choices, and measures memory. */

const items = [
  { fresh: true, size: 1 },
  { fresh: false, size: 2 },
];
let starts = 0;

function open(reward: RewardOptions, disk: MemoryDisk, events: PeerEvent[], clock = new TestClock()) {
  return createPeer({
    room: "r",
    features: { fresh: flag(), size: number(0, 9) },
    policy: solo(),
    store: memoryStore(disk),
    tick: { periodMs: 1000 },
    reward,
    clock,
    seed: 4000 + starts++,
    onEvent: (event) => events.push(event),
  });
}

type Peer = Awaited<ReturnType<typeof open>>;

async function answers(peer: Peer, ids: readonly ChoiceId[]): Promise<Map<RewardAnswer, number>> {
  const counts = new Map<RewardAnswer, number>();
  for (const answer of await Promise.all(ids.map((id) => peer.reward(id, 1)))) {
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  return counts;
}

describe("12,000 choices in one turn", () => {
  it("are all written down, also across a restart, and every reward is learned once", async () => {
    const [disk, events]: [MemoryDisk, PeerEvent[]] = [memoryDisk(), []];
    const before = await open({ fallback: 0 }, disk, events);
    const ids = Array.from({ length: 12_000 }, () => before.choose(items).id);
    expect(before.state().pending).toBe(12_000);
    expect(await answers(before, ids.slice(0, 2000))).toEqual(new Map([["learned", 2000]]));
    await before.close();
    const after = await open({ fallback: 0 }, disk, events);
    expect(after.state()).toMatchObject({ pending: 10_000, own: 2000 });
    expect(await answers(after, ids.slice(1500))).toEqual(
      new Map<RewardAnswer, number>([
        ["duplicate", 500],
        ["learned", 10_000],
      ]),
    );
    expect(after.state()).toMatchObject({ pending: 0, own: 12_000 });
    // Nothing but that each of them was a 1.
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["warning"]));
    await after.close();
  });

  it("expire together, each with its fallback", async () => {
    const clock = new TestClock();
    const peer = await open({ fallback: 0.5, timeoutMs: 5000 }, memoryDisk(), [], clock);
    for (let k = 0; k < 3000; k++) peer.choose(items);
    await clock.pass(7000);
    for (let turn = 0; turn < 50 && peer.state().own < 3000; turn++) await settled();
    expect(peer.state()).toMatchObject({ pending: 0, own: 3000 });
    await peer.close();
  });
});

describe("more pending choices than are kept", () => {
  it("the oldest are dropped with an event: nothing false is learnt, and each reward says what became of its choice", async () => {
    const [disk, events]: [MemoryDisk, PeerEvent[]] = [memoryDisk(), []];
    const peer = await open({ fallback: 0, pending: 1500 }, disk, events);
    const ids = Array.from({ length: 4000 }, () => peer.choose(items).id);
    await settled();
    expect(peer.state()).toMatchObject({ pending: 1500, own: 0 });
    const dropped = events.filter((event) => event.kind === "dropped");
    expect(dropped.reduce((sum, { count }) => sum + count, 0)).toBe(2500);
    expect(dropped[0]).toMatchObject({ most: 1500, message: expect.stringContaining("raise reward.pending") });
    expect(events.length).toBe(dropped.length);
    await peer.close();
    const after = await open({ fallback: 0, pending: 1500 }, disk, []);
    expect(await answers(after, ids)).toEqual(
      new Map<RewardAnswer, number>([
        ["dropped", 2500],
        ["learned", 1500],
      ]),
    );
    expect(after.state()).toMatchObject({ pending: 0, own: 1500 });
    await after.close();
  });

  it("one that is dropped by the reward that comes for it is not learnt as well", async () => {
    const events: PeerEvent[] = [];
    const peer = await open({ fallback: 0, pending: 100 }, memoryDisk(), events);
    const ids = Array.from({ length: 150 }, () => peer.choose(items).id);
    expect(await peer.reward(ids[0]!, 1)).toBe("dropped");
    expect(peer.state()).toMatchObject({ pending: 100, own: 0 });
    expect(events).toMatchObject([{ kind: "dropped", count: 50 }]);
    await peer.close();
  });

  it("10,001 are not yet too many, and the first is no false zero", async () => {
    const events: PeerEvent[] = [];
    const peer = await open({ fallback: 0 }, memoryDisk(), events);
    const first = peer.choose(items);
    for (let k = 0; k < 11_500; k++) peer.choose(items);
    await settled();
    expect(peer.state()).toMatchObject({ pending: 11_501, own: 0 });
    expect(await first.reward(1)).toBe("learned");
    expect(events).toEqual([]);
    await peer.close();
  });
});
