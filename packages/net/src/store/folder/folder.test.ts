import { mkdtempSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { entries, snapshotOf } from "../testing/history.ts";
import { storeStories } from "../testing/stories.ts";
import { folderStore } from "./folder.ts";

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return { ...real, open: vi.fn(real.open), writeFile: vi.fn(real.writeFile) };
});

storeStories("folder", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "coterie-store-"));
  return { factory: folderStore(join(scratch, "peer")), teardown: () => rm(scratch, { recursive: true }) };
});

it("asks for every batch to be synced: no test of ours can cut the power", async () => {
  const { writeFile } = await import("node:fs/promises");
  const { constants } = await import("node:fs");
  const scratch = mkdtempSync(join(tmpdir(), "coterie-store-"));
  vi.mocked(open).mockClear();
  vi.mocked(writeFile).mockClear();
  try {
    const store = folderStore(scratch)();
    await store.open();
    await store.append(entries(0, 2));
    await store.checkpoint(snapshotOf(2));
    await store.append(entries(2, 3));
    await store.close();
    const logs = vi.mocked(open).mock.calls.filter(([file]) => /log-\w+$/.test(String(file)));
    expect(logs.map(([, flags]) => Number(flags) & constants.O_DSYNC)).toEqual([constants.O_DSYNC, constants.O_DSYNC]);
    const snapshots = vi.mocked(writeFile).mock.calls.filter(([file]) => /snapshot-\w+\.new$/.test(String(file)));
    expect(snapshots.map(([, , options]) => options)).toEqual([expect.objectContaining({ flush: true })]);
    // Each new name is made durable too: the directory is synced.
    const directories = vi.mocked(open).mock.calls.filter(([file]) => /incarnation-1$/.test(String(file)));
    expect(directories.length).toBeGreaterThanOrEqual(3);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
});
