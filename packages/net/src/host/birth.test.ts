import { describe, expect, it } from "vitest";
import { MemoryNetwork } from "../link/memory.ts";
import { type MemoryDisk, memoryDisk } from "../store/memory.ts";
import type { PeerHost } from "./host.ts";
import { held, live, open, pulled } from "./testing/records.ts";

/** Observations that a peer knows of, over all names they were published under. */
const known = (host: PeerHost): number => [...held(host).values()].reduce((sum, { count }) => sum + count, 0);

/** Turns a byte in the middle of every record on the disk that `chosen` names. */
function damage(disk: MemoryDisk, chosen: (key: string) => boolean): void {
  for (const [key, bytes] of disk.pairs) {
    if (!chosen(key)) continue;
    const spoilt = bytes.slice();
    spoilt[spoilt.length >> 1]! ^= 0xff;
    disk.pairs.set(key, spoilt);
  }
}

/** Whether `part` stands anywhere in `all`. */
const contains = (all: Uint8Array, part: Uint8Array): boolean =>
  Buffer.from(all).includes(Buffer.from(part.buffer, part.byteOffset, part.length));

describe("a state that moves", () => {
  const moved = async (secret: boolean) => {
    const network = new MemoryNetwork();
    const [old, other, young] = [await open(network, "a"), await open(network, "b"), await open(network, "c")];
    await live(old, 20);
    await other.tick("a");
    const saved = old.save(secret);
    expect(contains(saved, old.identity!.seed)).toBe(secret);
    await young.adopt(saved);
    return { old, other, young };
  };

  it("without its key learns on and speaks of nobody, so nothing counts twice", async () => {
    const { old, other, young } = await moved(false);
    await live(young, 30, 2);
    expect(young.peer.learner.view.own).toBe(50);
    expect(young.origin).toBeNull();
    expect(await other.tick("c")).toBe("mix");
    expect([...held(other).keys()]).toEqual([old.origin]);
    // What it has published lags by less than a twentieth.
    expect(known(other)).toBe(20);
    // What it learnt of others it may pass on, and what it hears it may use.
    expect(await young.tick("b")).toBe("mix");
    expect(other.violations.size + young.violations.size).toBe(0);
  });

  it("with its key is the same peer elsewhere: its next record takes the place of the last", async () => {
    const { old, other, young } = await moved(true);
    expect(young.origin).toBe(old.origin);
    await live(young, 30, 2);
    expect(await other.tick("c")).toBe("mix");
    const { count } = held(young).get(old.origin!)!;
    expect(count).toBeGreaterThan(50 / 1.1);
    expect([...held(other)].map(([origin, record]) => [origin, record.count])).toEqual([[old.origin, count]]);
    // The old one lives on, though it should not: still one record, the newer of the two.
    await live(old, 1, 3);
    await other.tick("a");
    expect(known(other)).toBe(count);
  });
});

describe("a store that was damaged", () => {
  const lived = async (snapshotEvery: number) => {
    const network = new MemoryNetwork();
    const disk = memoryDisk();
    const [peer, other] = [await open(network, "a", { disk, snapshotEvery }), await open(network, "b")];
    await live(peer, 20);
    await other.tick("a");
    return { network, disk: pulled(disk), other, origin: peer.origin! };
  };

  it("keeps the name where the log reaches back to the start: it is the same observations", async () => {
    const { network, disk, other, origin } = await lived(1000);
    damage(disk, (key) => key.startsWith("snapshot"));
    const back = await open(network, "a", { disk, drawSeed: () => new Uint8Array(32).fill(99) });
    expect(back.quarantined).not.toBeNull();
    expect(back.peer.learner.view.own).toBe(20);
    expect(back.origin).toBe(origin);
    await live(back, 10, 2);
    await other.tick("a");
    expect([...held(other).keys()]).toEqual([origin]);
    // What it publishes lags by less than a twentieth.
    expect(known(other)).toBe(29);
  });

  it("keeps the name where a young peer's log is lost: it stands in a snapshot from the first moment on", async () => {
    const { network, disk, origin } = await lived(1000);
    damage(disk, (key) => key.startsWith("log"));
    const back = await open(network, "a", { disk, drawSeed: () => new Uint8Array(32).fill(99) });
    expect(back.quarantined).not.toBeNull();
    expect(back.origin).toBe(origin);
  });

  it("gives a new name where nothing is left: what others hold of the old one is counted once, and lent back", async () => {
    const { network, disk, other, origin } = await lived(15);
    damage(disk, () => true);
    const back = await open(network, "a", { disk, drawSeed: () => new Uint8Array(32).fill(99) });
    expect(back.origin).not.toBe(origin);
    expect(back.peer.learner.view.own).toBe(0);
    await live(back, 10, 2);
    await other.tick("a");
    expect(known(other)).toBe(20 + 10);
    await back.tick("b");
    expect([...held(back).keys()].sort()).toEqual([origin, back.origin!].sort());
  });

  it("that fell back to an older state overtakes its own last record only when it knows as much again", async () => {
    const network = new MemoryNetwork();
    const disk = memoryDisk();
    const [peer, other] = [await open(network, "a", { disk }), await open(network, "b")];
    await live(peer, 10);
    const older = pulled(disk);
    for (let round = 0; round < 10; round++) await live(peer, 2, 10 + round);
    await other.tick("a");
    expect(known(other)).toBeGreaterThan(20);
    const before = known(other);
    const back = await open(network, "a", { disk: older });
    expect(back.origin).toBe(peer.origin);
    let rounds = 0;
    for (; known(other) === before && rounds < 40; rounds++) {
      await live(back, 2, 50 + rounds);
      await other.tick("a");
    }
    // One record under the name at any time, and the one that came is no poorer.
    expect(held(other).size).toBe(1);
    expect(known(other)).toBeGreaterThanOrEqual(before);
    expect(rounds).toBeGreaterThan(3);
  });
});
