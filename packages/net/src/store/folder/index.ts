/** The store of a Node process. */
export { type BackedUp, backup, type Restored, restore } from "./backup.ts";
export { folderStore } from "./folder.ts";
export { type Inspection, inspect } from "./inspect.ts";
export { type Upgraded, upgrade } from "./upgrade.ts";
