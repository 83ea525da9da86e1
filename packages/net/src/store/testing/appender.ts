/**
 * A process that appends for ever, checkpoints now and then, and says how many entries were acknowledged.
 * Arguments: the store's path.
 */
import { writeSync } from "node:fs";
import { folderStore } from "../folder/folder.ts";
import { entries, lengthOf, snapshotOf } from "./history.ts";

// Before opening, so that the opening can be killed too.
writeSync(1, "0\n");
const store = folderStore(process.argv[2]!)();
let length = lengthOf(await store.open());
writeSync(1, `${length}\n`);
for (let turn = 1; ; turn++) {
  // Several calls at once, so that a kill finds waiting ones too.
  const sizes = [1 + (turn % 3), 1 + (turn % 4)];
  const appends = sizes.map((size) => {
    length += size;
    const acknowledged = length;
    return store.append(entries(length - size, length)).then(() => writeSync(1, `${acknowledged}\n`));
  });
  if (turn % 7 === 0) appends.push(store.checkpoint(snapshotOf(length)).then(() => 0));
  await Promise.all(appends);
}
