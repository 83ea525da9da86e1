import { snapshot } from "@coterie/core";
import type { PeerRecord } from "@coterie/core/internal";
import { describe, expect, it } from "vitest";
import { MemoryNetwork } from "../link/memory.ts";
import { memoryDisk } from "../store/memory.ts";
import { held, live, type Options, open, pulled } from "./testing/records.ts";
import { tampering } from "./testing/tampering.ts";

/** a has seen something, r has heard of it and may change what it passes on, b asks r. */
async function chain(change: (records: readonly PeerRecord[]) => readonly PeerRecord[], options: Options = {}) {
  const network = new MemoryNetwork();
  const a = await open(network, "a");
  const r = await open(network, "r", { link: tampering(network.link("r"), change) });
  const b = await open(network, "b", options);
  await live(a, 10);
  await live(r, 4, 2);
  expect(await r.tick("a")).toBe("mix");
  return { network, a, r, b };
}

const honest = (records: readonly PeerRecord[]): readonly PeerRecord[] => records;

describe("records of others", () => {
  it("pass through an honest relay, signed by their origins", async () => {
    const { a, r, b } = await chain(honest);
    expect(await b.tick("r")).toBe("mix");
    expect([...held(b).keys()].sort()).toEqual([a.origin!, r.origin!].sort());
    expect(held(b).get(a.origin!)!.signature).toHaveLength(64);
    expect(b.violations.size).toBe(0);
  });

  /** The record with one byte of its body turned. */
  const turned = (record: PeerRecord, at: number): PeerRecord => {
    const body = record.body.slice();
    body[at]! ^= 2;
    return { ...record, body };
  };
  /** Names are as long as one another, and come first. */
  const renamed = (record: PeerRecord, as: PeerRecord): PeerRecord => {
    const body = record.body.slice();
    body.set(as.body.subarray(0, 1 + as.origin.length));
    return { ...record, body };
  };
  const forgeries: [string, (records: readonly PeerRecord[]) => readonly PeerRecord[]][] = [
    ["alters a record", (all) => all.map((it, k) => (k === 0 ? it : turned(it, 2 + it.origin.length)))], // its count
    ["gives it another version", (all) => all.map((it) => turned(it, 1 + it.origin.length))],
    ["takes the signature away", (all) => all.map((it) => ({ ...it, signature: null }))],
    ["invents an origin", (all) => [...all, turned(all[0]!, 20)]],
    ["puts another's name to its own", (all) => [renamed(all[0]!, all[1]!)]],
    ["signs for another", (all) => [{ ...all[1]!, signature: all[0]!.signature }]],
  ];
  it.each(forgeries)("from a relay that %s are dropped, counted, and held against it", async (_, change) => {
    const { b } = await chain(change);
    const before = snapshot(b.peer);
    expect(b.driver.node.scores.refuses("r")).toBe(false);
    expect(await b.tick("r", { close: false })).toBeNull();
    expect(Object.fromEntries(b.violations)).toEqual({ forged: 1 });
    expect(b.driver.node.scores.refuses("r")).toBe(true);
    expect(snapshot(b.peer)).toEqual(before);
    // It is forgiven in time.
    for (let tick = 0; tick < 60; tick++) await b.tick(null);
    expect(b.driver.node.scores.refuses("r")).toBe(false);
  });

  it("that were overtaken change nothing when they are sent again", async () => {
    let old: readonly PeerRecord[] = [];
    const { a, r, b } = await chain((records) => {
      if (old.length > 0) return old;
      old = records;
      return records;
    });
    await b.tick("r");
    await live(a, 90, 3);
    await b.tick("a");
    const newest = held(b).get(a.origin!)!;
    expect(newest.version).toBeGreaterThan(old.find(({ origin }) => origin === a.origin)!.version);
    // Genuine, so nobody has broken a rule; just late.
    for (let tick = 0; tick < 3; tick++) await b.tick("r");
    expect(held(b).get(a.origin!)).toEqual(newest);
    expect(b.violations.size).toBe(0);
    expect(r.origin).not.toBe(a.origin);
  });

  it("of one that is not admitted are left out, after a restart too", async () => {
    const disk = memoryDisk();
    const { network, a, r, b } = await chain(honest, { disk });
    const denied = a.origin!;
    await b.close();
    const strict = await open(network, "b", { disk, admits: (peer) => peer !== denied && peer !== "a" });
    expect(await strict.tick("r")).toBe("mix");
    expect([...held(strict).keys()]).toEqual([r.origin]);
    expect(strict.violations.size).toBe(0);
    expect(await a.tick("b")).toBe("refused");
    // What came waits for the next write.
    await strict.tick(null);
    const lax = await open(new MemoryNetwork(), "b", { disk: pulled(disk) });
    expect(snapshot(lax.peer)).toEqual(snapshot(strict.peer));
  });

  it("that nobody signed stay with whoever has them", async () => {
    const network = new MemoryNetwork();
    const disk = memoryDisk();
    const x = await open(network, "x", { unsigned: true });
    const y = await open(network, "y", { unsigned: true, disk });
    await live(x, 10);
    expect(await y.tick("x")).toBe("mix");
    expect([...held(y).keys()]).toEqual(["x"]);
    await y.close();
    const signing = await open(network, "y", { disk });
    const b = await open(network, "b");
    expect([...held(signing).keys()]).toEqual(["x"]);
    expect(await b.tick("y")).toBe("mix");
    expect(held(b).size).toBe(0);
    expect(b.violations.size).toBe(0);
  });
});
