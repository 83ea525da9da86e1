import { kindred, type Policy, Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import type { Fate } from "../link/memory.ts";
import { articles, QUICK, read, TestRoom } from "./testing/room.ts";

/** Kindred that always wishes for the same partner. */
const wishingFor = (partner: string): Policy => ({
  ...kindred(),
  create: (...of) => Object.assign(kindred().create(...of), { suggest: () => partner }),
});

const metBy = async (partner: string): Promise<Set<string>> => {
  const room = new TestRoom(wishingFor(partner));
  for (const name of ["a", "b", "c", "d"]) await room.open(name);
  await read(room, 12, () => "arts");
  const met = new Set<string>();
  for (const { peer, event } of room.events)
    if (peer === "a" && event.kind === "exchange" && event.side === "proposed") met.add(event.partner);
  await room.close();
  return met;
};

it("meets whom its policy wishes for, and anybody where that one is not there", async () => {
  expect(await metBy("c")).toEqual(new Set(["c"]));
  expect((await metBy("nobody")).size).toBeGreaterThan(1);
});

it("asks its policy for one of those who are there", async () => {
  const asked: boolean[][] = [];
  const suggest = (_: Random, isThere?: (peer: string) => boolean): null => {
    asked.push(["a", "b", "gone"].map((peer) => isThere?.(peer) ?? true));
    return null;
  };
  const policy: Policy = { ...kindred(), create: (...of) => Object.assign(kindred().create(...of), { suggest }) };
  const room = new TestRoom(policy);
  for (const name of ["a", "b"]) await room.open(name);
  await read(room, 4, () => "arts");
  await room.close();
  expect(asked.length).toBeGreaterThan(4);
  expect(asked.every(([a, b, gone]) => a !== b && gone === false)).toBe(true);
});

/** Ticks are ten seconds apart, as by default; whatever comes within 300 ms is no tick of the usual clock. */
const SLOW = { tick: { periodMs: 10_000, jitter: 0.1 } };
const SOON_MS = 300;

/** The verdicts of the exchanges that a peer has proposed so far. */
const proposed = (room: TestRoom, name: string): string[] =>
  room.events.flatMap(({ peer, event }) =>
    peer === name && event.kind === "exchange" && event.side === "proposed" ? [event.verdict] : [],
  );

describe("a newcomer", () => {
  it("knows what others have seen soon after it came, and chooses meanwhile", async () => {
    const room = new TestRoom(kindred());
    for (const name of ["a", "b", "c"]) await room.open(name, SLOW);
    await read(room, 60, () => "arts");
    for (let k = 0; k < 5; k++) {
      const name = `new ${k}`;
      const peer = await room.open(name, SLOW);
      const choice = peer.choose(articles(Random.seeded(k)));
      expect([proposed(room, name), peer.state().evidence]).toEqual([[], 0]);
      await room.clock.pass(SOON_MS);
      expect(proposed(room, name)).toEqual(["mix"]);
      expect(peer.state().evidence).toBeGreaterThan(0);
      await choice.reward(1);
      expect(peer.state().own).toBe(1);
    }
    await room.close();
  });

  /** One that has ticked alone, and whom another joins just then; what it proposed soon after. */
  async function joined(policy: Policy): Promise<string[]> {
    const room = new TestRoom(policy);
    const peer = await room.open("first", SLOW);
    while (peer.state().round === 1) await room.clock.pass(100);
    await room.open("second", SLOW);
    await room.clock.pass(SOON_MS);
    const verdicts = proposed(room, "first");
    await room.close();
    return verdicts;
  }

  it("that was alone at first calls when somebody comes, where records are passed on", async () => {
    expect(await joined(kindred())).toEqual(["mix"]);
    // Where statistics are averaged its clock goes on as it was.
    expect(await joined(QUICK)).toEqual([]);
  });

  it("calls again when nobody answers", async () => {
    const fates: Fate[] = [];
    const room = new TestRoom(kindred(), (from) => (from === "new" ? (fates.shift() ?? "delivered") : "delivered"));
    for (const name of ["a", "b"]) await room.open(name, SLOW);
    await read(room, 30, () => "arts");
    fates.push("lost", "answer-lost");
    const peer = await room.open("new", SLOW);
    await room.clock.pass(3 * SOON_MS);
    expect(proposed(room, "new")).toEqual(["given-up", "given-up", "mix"]);
    expect(peer.state().evidence).toBeGreaterThan(0);
    await room.close();
  });

  it("that nobody answers waits for its clock after three calls", async () => {
    const room = new TestRoom(kindred(), (from) => (from === "new" ? "lost" : "delivered"));
    await room.open("a", SLOW);
    const peer = await room.open("new", SLOW);
    await room.clock.pass(8000);
    expect(proposed(room, "new")).toEqual(["given-up", "given-up", "given-up"]);
    await room.clock.pass(4000);
    expect(proposed(room, "new")).toHaveLength(4);
    expect(peer.state().evidence).toBe(0);
    await room.close();
  });
});
