import { dccb, Random, solo } from "@coterie/core";
import { expect, it } from "vitest";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import type { ChoiceId } from "./choiceEntries.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";
import type { RoomPeer } from "./roomPeer.ts";
import { settled, TestClock } from "./testing/clock.ts";
import { articles, SCHEMA, type Schema } from "./testing/room.ts";

const TIMEOUT_MS = 400;

/** What the app was told, and what it never heard the end of. */
interface Told {
  readonly rewarded: Set<ChoiceId>;
  readonly doubtful: Set<ChoiceId>;
}

/** A peer's life with a crash after any number of steps; says how many lives it had. */
async function live(seed: number, policy: typeof solo | typeof dccb): Promise<number> {
  const random = Random.seeded(seed);
  const clock = new TestClock();
  let disk: MemoryDisk = memoryDisk();
  const told: Told = { rewarded: new Set(), doubtful: new Set() };
  const open = (life: number): Promise<RoomPeer<Schema>> =>
    createPeer({
      room: "r",
      features: SCHEMA,
      policy: policy(),
      store: memoryStore(disk),
      tick: false,
      clock,
      seed: 1000 * seed + life,
      reward: { timeoutMs: TIMEOUT_MS, fallback: 0.5 },
    });
  let waiting: ChoiceId[] = [];
  let [lives, learnt] = [0, 0];
  for (; lives < 12; lives++) {
    const peer = await open(lives);
    // Nothing that was acknowledged is gone, and nothing counts twice; the last reward is there or not.
    const { own } = peer.state();
    expect([learnt, learnt + 1]).toContain(own);
    for (const id of told.rewarded) expect(await peer.reward(id, 1)).toBe("duplicate");
    for (const id of told.doubtful) expect(await peer.reward(id, 1)).not.toBe("unknown");
    // Whether the crash came before its reward or after, the last one counts once now.
    expect(peer.state().own).toBe(learnt + told.doubtful.size);
    told.doubtful.clear();
    learnt = await wander(peer, random, clock, told, waiting);
    waiting = waiting.slice(-3);
    disk = { ...disk, pairs: new Map(disk.pairs), taken: false };
  }
  return lives;
}

/** Chooses, rewards, ticks; stops anywhere. How many observations had been acknowledged by then, at least. */
async function wander(
  peer: RoomPeer<Schema>,
  random: Random,
  clock: TestClock,
  told: Told,
  waiting: ChoiceId[],
): Promise<number> {
  let acknowledged = peer.state().own;
  for (let steps = 3 + random.below(25); steps > 0; steps--) {
    const deed = random.below(4);
    if (deed === 0) {
      waiting.push(peer.choose(articles(random)).id);
      await settled();
    } else if (deed === 1 && waiting.length > 0) {
      const id = waiting.splice(random.below(waiting.length), 1)[0];
      const answer = await peer.reward(id, random.uniform());
      if (answer === "learned") told.rewarded.add(id);
    } else if (deed === 2) {
      await clock.pass(random.below(150));
      await peer.tick();
    } else {
      // Choice and reward in one breath.
      const choice = peer.choose(articles(random));
      expect(await choice.reward(1)).toBe("learned");
      told.rewarded.add(choice.id);
    }
    acknowledged = peer.state().own;
  }
  // The last reward may or may not reach the disk; either way the choice itself did.
  const last = peer.choose(articles(random));
  await settled();
  void last.reward(1).catch(() => {});
  told.doubtful.add(last.id);
  for (let turns = random.below(30); turns > 0; turns--) await Promise.resolve();
  return acknowledged;
}

it("a repair is told before anything is written, so that a crash right after it hides nothing", async () => {
  const disk = memoryDisk();
  const open = (onEvent: (event: PeerEvent) => void, broken: boolean): Promise<RoomPeer<Schema>> => {
    const store = memoryStore(disk)();
    if (broken) store.append = () => new Promise(() => {});
    return createPeer({ room: "r", features: SCHEMA, store: () => store, tick: false, onEvent });
  };
  await (await open(() => {}, false)).close();
  // All of it is gone, the name too: a new one has to be written down before the peer is whole.
  for (const key of disk.pairs.keys()) disk.pairs.set(key, new Uint8Array(60));
  const told: string[] = [];
  void open(({ kind }) => told.push(kind), true);
  await settled();
  expect(told).toEqual(["repaired"]);
});

it.each([1, 2, 3, 4, 5, 6])(
  "no acknowledged reward is lost or counted twice, whenever it crashes (seed %i)",
  async (seed) => {
    expect(await live(seed, solo)).toBe(12);
    expect(await live(100 + seed, dccb)).toBe(12);
  },
);
