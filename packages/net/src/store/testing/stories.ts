import { ConfigError } from "@coterie/core";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreBusy, StoreError } from "../errors.ts";
import { STORE_LIMITS, type Store, type StoreFactory } from "../store.ts";
import { entries, entry, lengthOf, snapshotOf } from "./history.ts";

/** One place for a store, and how to clear it away. */
export interface Stage {
  readonly factory: StoreFactory;
  teardown(): Promise<void>;
}

/** What every store must do, whatever it is made of. */
export function storeStories(name: string, setup: () => Promise<Stage>): void {
  describe(`the stories of a store: ${name}`, () => {
    let stage: Stage;
    let store: Store;
    beforeEach(async () => {
      stage = await setup();
      store = stage.factory();
    });
    afterEach(async () => {
      await store.close();
      await stage.teardown();
    });
    /** Closes, and opens as the next process would. */
    const restart = async () => {
      await store.close();
      store = stage.factory();
      return store.open();
    };

    describe("memory", () => {
      it("begins empty, as incarnation 1", async () => {
        expect(await store.open()).toEqual({ incarnation: 1, snapshot: null, entries: [], quarantined: null });
        expect(store.size).toEqual({ entries: 0, bytes: 0 });
        expect((await restart()).incarnation).toBe(1);
      });

      it("gives back what was appended, bit for bit and in order", async () => {
        await store.open();
        await store.append(entries(0, 3));
        await store.append(entries(3, 4));
        expect((await restart()).entries).toEqual(entries(0, 4));
        await store.append([{ kind: "empty", body: new Uint8Array(0) }]);
        expect((await restart()).entries).toEqual([...entries(0, 4), { kind: "empty", body: new Uint8Array(0) }]);
      });

      it("gives back the last snapshot and only what came after it", async () => {
        await store.open();
        await store.append(entries(0, 5));
        await store.checkpoint(snapshotOf(5));
        expect(store.size).toEqual({ entries: 0, bytes: 0 });
        await store.append(entries(5, 7));
        expect(store.size.entries).toBe(2);
        const bytes = store.size.bytes;
        expect(await restart()).toMatchObject({ snapshot: snapshotOf(5), entries: entries(5, 7), quarantined: null });
        expect(store.size).toEqual({ entries: 2, bytes });
      });

      it("takes a snapshot before the first entry, and two in a row", async () => {
        await store.open();
        await store.checkpoint(snapshotOf(0));
        expect(await restart()).toMatchObject({ snapshot: snapshotOf(0), entries: [], quarantined: null });
        await store.append(entries(0, 2));
        await store.checkpoint(snapshotOf(2));
        await store.checkpoint(snapshotOf(2));
        expect(await restart()).toMatchObject({ snapshot: snapshotOf(2), entries: [], quarantined: null });
      });

      it("does so for any history of appends, checkpoints and restarts", async () => {
        const step = fc.oneof(
          { weight: 4, arbitrary: fc.nat({ max: 6 }) },
          fc.constant("checkpoint" as const),
          fc.constant("restart" as const),
        );
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
            const told = await store.open();
            expect(told).toMatchObject({ incarnation: 1, quarantined: null });
            let length = lengthOf(told);
            for (const it of steps) {
              if (it === "restart") expect(lengthOf(await restart())).toBe(length);
              else if (it === "checkpoint") await store.checkpoint(snapshotOf(length));
              else {
                await store.append(entries(length, length + it));
                length += it;
              }
            }
            expect(lengthOf(await restart())).toBe(length);
            await store.close();
          }),
          { numRuns: 25 },
        );
      });

      it("forgets when it is told to", async () => {
        await store.open();
        await store.append(entries(0, 3));
        await store.checkpoint(snapshotOf(3));
        await store.erase();
        await expect(store.append(entries(3, 4))).rejects.toMatchObject({ reason: "closed" });
        expect(await restart()).toEqual({ incarnation: 1, snapshot: null, entries: [], quarantined: null });
      });
    });

    describe("calls", () => {
      it("keep their order when they are made at once", async () => {
        await store.open();
        await Promise.all(entries(0, 60).map((it) => store.append([it])));
        expect(lengthOf(await restart())).toBe(60);
      });

      it("may put a checkpoint between appends that have not ended", async () => {
        await store.open();
        const all = [store.append(entries(0, 3)), store.checkpoint(snapshotOf(3)), store.append(entries(3, 5))];
        await Promise.all(all);
        expect(await restart()).toMatchObject({ snapshot: snapshotOf(3), entries: entries(3, 5) });
      });

      it("own their bytes: neither side's later changes are seen by the other", async () => {
        await store.open();
        const mine = entry(1);
        const snapshot = snapshotOf(1);
        const done = [store.append(entries(0, 1)), store.checkpoint(snapshot), store.append([mine])];
        mine.body.fill(0);
        snapshot.fill(0);
        await Promise.all(done);
        const told = await restart();
        expect(lengthOf(told)).toBe(2);
        told.snapshot?.fill(0);
        told.entries[0]!.body.fill(0);
        expect(lengthOf(await restart())).toBe(2);
      });

      it("that are aborted in line are never written; one that has begun tells the truth", async () => {
        await store.open();
        const abort = new AbortController();
        const first = store.append(entries(0, 1), { signal: abort.signal });
        await new Promise((resolve) => setImmediate(resolve));
        const second = store.append(entries(1, 2), { signal: abort.signal });
        abort.abort(new Error("enough"));
        await expect(store.append(entries(1, 2), { signal: abort.signal })).rejects.toThrow("enough");
        await expect(second).rejects.toThrow("enough");
        await first;
        expect(lengthOf(await restart())).toBe(1);
      });

      it("to open can be aborted, and the place is free again", async () => {
        await expect(store.open({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
        const abort = new AbortController();
        const opening = store.open({ signal: abort.signal });
        abort.abort(new Error("too late"));
        await expect(opening).rejects.toThrow("too late");
        expect((await restart()).quarantined).toBeNull();
      });

      it("to close wait for what is under way, and may come twice", async () => {
        await store.open();
        const appended = store.append(entries(0, 4));
        await Promise.all([store.close(), store.close()]);
        await appended;
        expect(lengthOf(await restart())).toBe(4);
      });

      it("on a store that is not open fail, and say so", async () => {
        const closed = { name: "StoreError", reason: "closed" };
        await expect(store.append(entries(0, 1))).rejects.toMatchObject(closed);
        await expect(store.checkpoint(snapshotOf(0))).rejects.toMatchObject(closed);
        await expect(store.erase()).rejects.toMatchObject(closed);
        await store.close();
      });
    });

    describe("a second opener", () => {
      it("is refused with a sentence, and the first goes on", async () => {
        await store.open();
        const second = stage.factory();
        await expect(second.open()).rejects.toThrow(StoreBusy);
        await expect(second.open()).rejects.toThrow(/is open elsewhere: close the other peer/);
        await expect(store.open()).rejects.toThrow(StoreError);
        await store.append(entries(0, 2));
        await store.close();
        expect(lengthOf(await second.open())).toBe(2);
        await second.close();
      });
    });

    describe("limits", () => {
      it.each([
        ["a kind", [{ kind: "", body: new Uint8Array(1) }], /entries\[0\]\.kind must be lower-case/],
        ["a long kind", [{ kind: "k".repeat(65), body: new Uint8Array(1) }], /entries\[0\]\.kind/],
        [
          "an entry",
          [entry(0), { kind: "big", body: new Uint8Array(STORE_LIMITS.entryBytes + 1) }],
          /entries\[1\]\.body/,
        ],
        ["a batch", entries(0, STORE_LIMITS.batchEntries + 1), /at most 4096 at once/],
        ["its bytes", Array(5).fill({ kind: "b", body: new Uint8Array(STORE_LIMITS.entryBytes) }), /bytes together/],
      ])("of %s are the caller's to keep, and nothing is written", async (_, bad, sentence) => {
        await store.open();
        await store.append(entries(0, 1));
        await expect(store.append(bad)).rejects.toThrow(ConfigError);
        await expect(store.append(bad)).rejects.toThrow(sentence);
        await store.append([]);
        await store.append(entries(1, 2));
        expect(lengthOf(await restart())).toBe(2);
      });

      it("allow the largest entry there may be", async () => {
        await store.open();
        const body = new Uint8Array(STORE_LIMITS.entryBytes).map((_, i) => i * 31);
        await store.append([{ kind: "big", body }]);
        const told = await restart();
        expect(Buffer.compare(told.entries[0]!.body, body)).toBe(0);
      });
    });
  });
}
