/**
 * A process that opens a store, appends until it has enough or the disk says no, and tells what it saw; after a no it
 * tries once more. Arguments: the store's path, and how many entries are enough.
 */
import { StoreError } from "../errors.ts";
import { folderStore } from "../folder/folder.ts";
import { entries, lengthOf } from "./history.ts";

const store = folderStore(process.argv[2]!)();
const enough = Number(process.argv[3]);
const say = (what: object): void => console.log(JSON.stringify(what));

function refusal(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
  say({ name: error.name, reason: error.reason, message: error.message });
}

const told = await store.open().catch(refusal);
if (told) {
  let length = lengthOf(told);
  say({ opened: length });
  try {
    for (; length < enough; length++) await store.append(entries(length, length + 1));
  } catch (error) {
    refusal(error);
    say({ size: store.size.entries });
    await store.append(entries(length, ++length));
  }
  say({ length });
}
await store.close();
