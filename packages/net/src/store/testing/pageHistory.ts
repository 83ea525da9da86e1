/** What the tests of a browser's store do inside a page. */

import { answer, openDatabase } from "../idb/database.ts";
import { indexed } from "../idb/indexed.ts";
import type { Recovered } from "../store.ts";

export { StoreBusy } from "../errors.ts";
export { indexed } from "../idb/indexed.ts";
export { memoryStore } from "../memory.ts";
export { entries, lengthOf, snapshotOf } from "./history.ts";

export async function reopened(name: string): Promise<Recovered> {
  const store = indexed(name)();
  const told = await store.open();
  await store.close();
  return told;
}

/** Does something to the seventh record of the log, behind the store's back. */
export async function damage(name: string, how: string): Promise<void> {
  const database = await openDatabase(name, name);
  const records = database.transaction("records", "readwrite").objectStore("records");
  const key = (await answer(records.getAllKeys())).find((it) => JSON.stringify(it).includes("log/00000000000007"))!;
  const bytes = (await answer(records.get(key))) as Uint8Array;
  if (how === "a missing record") await answer(records.delete(key));
  else if (how === "no bytes at all") await answer(records.put("nonsense", key));
  else
    await answer(
      records.put(
        bytes.map((byte, i) => (i === 40 ? byte ^ 1 : byte)),
        key,
      ),
    );
  database.close();
}

/** The names of damaged copies. */
export async function copies(name: string): Promise<IDBValidKey[]> {
  const database = await openDatabase(name, name);
  const keys = await answer(database.transaction("damaged").objectStore("damaged").getAllKeys());
  database.close();
  return keys;
}
