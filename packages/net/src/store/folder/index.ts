/** The store of a Node process. */
export { folderStore } from "./folder.ts";
export { type Inspection, inspect } from "./inspect.ts";
