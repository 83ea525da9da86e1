import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { expect, it, vi } from "vitest";
import { entries, snapshotOf } from "../testing/history.ts";
import { storeStories } from "../testing/stories.ts";
import { level } from "./level.ts";

storeStories("level", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "coterie-store-"));
  return { factory: level(join(scratch, "peer")), teardown: () => rm(scratch, { recursive: true }) };
});

it("asks for every batch to be synced: no test of ours can cut the power", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "coterie-store-"));
  const batch = vi.spyOn(ClassicLevel.prototype, "batch");
  try {
    const store = level(scratch)();
    await store.open();
    await store.append(entries(0, 2));
    await store.checkpoint(snapshotOf(2));
    await store.erase();
    expect(batch.mock.calls.map((call: unknown[]) => call[1])).toEqual(Array(4).fill({ sync: true }));
  } finally {
    batch.mockRestore();
    await rm(scratch, { recursive: true, force: true });
  }
});
