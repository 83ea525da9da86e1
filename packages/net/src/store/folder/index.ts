/** The store of a Node process. */
export { backup, restore } from "./backup.ts";
export { folderStore } from "./folder.ts";
export { inspect } from "./inspect.ts";
export { upgrade } from "./upgrade.ts";
