import { mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { folderStore, inspect, StoreError } from "@coterie/net";
import { bad, type Finding, good, note, worded } from "./finding.ts";

const WRITES = 5;

/** Whether a store could live in a folder: it is made there, written to, locked, opened again, and taken away. */
export async function tryStore(folder: string): Promise<Finding> {
  let place: string;
  try {
    place = await mkdtemp(join(folder, ".coterie-doctor-"));
  } catch (error) {
    const remedy = "Mend the folder's permissions, make space, or keep stores elsewhere.";
    return bad("store", `Nothing can be written to ${folder} (${worded(error)}).`, remedy);
  }
  try {
    return await tryOut(folder, join(place, "store"));
  } catch (error) {
    const remedy = "See to the disk; a folder on a network, or one shared with another system, may keep no stores.";
    return bad("store", `A store in ${folder} did not work (${worded(error)}).`, remedy);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function tryOut(folder: string, place: string): Promise<Finding> {
  const open = folderStore(place);
  const first = open();
  await first.open();
  const started = performance.now();
  for (let k = 0; k < WRITES; k++) await first.append([{ kind: "doctor", body: Uint8Array.of(k) }]);
  const ms = (performance.now() - started) / WRITES;
  const locked = await open()
    .open()
    .then(
      () => false,
      (error: unknown) => error instanceof StoreError && error.reason === "busy",
    );
  await first.close();
  const again = open();
  const { entries } = await again.open();
  await again.close();
  if (!locked) return bad("store", `Two could open one store in ${folder}.`, "Keep stores on a disk that has locks.");
  if (entries.length !== WRITES || entries.some(({ body }, k) => body[0] !== k)) {
    return bad("store", `What was written in ${folder} did not come back.`, "Keep stores on another disk.");
  }
  const found = `Stores can live in ${folder}: written, locked and read again, ${ms.toFixed(1)} ms for a write that survives a crash.`;
  // A disk that syncs within a fiftieth of a millisecond does not sync.
  if (ms >= 0.02) return good("store", found);
  return note(
    "store",
    found,
    "That is faster than disks are: see whether this one keeps what is written when the power goes.",
  );
}

/** What a store that is there already holds. */
export async function lookInto(path: string): Promise<Finding> {
  const place = resolve(path);
  try {
    const { intact, fault, incarnation, damaged } = await inspect(place);
    if (!intact) {
      const remedy = "Start its peer: it goes on from the last intact state, and keeps the damaged copy beside it.";
      return bad("store", `${place} is damaged: ${fault}.`, remedy);
    }
    const kept = damaged.length === 0 ? "" : `; damaged copies are kept in it: ${damaged.join(", ")}`;
    return good("store", `${place} is intact, incarnation ${incarnation}${kept}.`);
  } catch (error) {
    if (error instanceof StoreError && error.reason === "version") {
      const remedy = "Do what this says; nothing was touched.";
      return bad("store", `${place} is of another version (${error.message}).`, remedy);
    }
    if (!(error instanceof StoreError) || error.reason !== "foreign") {
      return bad("store", `${place} cannot be read (${worded(error)}).`, "Mend its permissions; see to the disk.");
    }
    if ((await readdir(place).catch(() => [])).length > 0) {
      const remedy = "Give a peer's store, or a folder that is empty or not there yet.";
      return bad("store", `${place} holds other things than a store.`, remedy);
    }
    return note("store", `There is no store at ${place} yet.`, "Nothing: a peer makes it when it starts.");
  }
}

/** The folder in which a store at `path` would be made. */
export const folderOf = (path: string | null): string => (path === null ? process.cwd() : dirname(resolve(path)));
