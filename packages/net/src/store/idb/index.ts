/** The store of a browser tab. */
export { type IndexedOptions, indexed } from "./indexed.ts";
