/** The store of a Node process. */
export { type Inspection, inspect } from "./inspect.ts";
export { level } from "./level.ts";
