/** The store of a browser tab. */
export { type IndexedFactory, type IndexedOptions, indexed } from "./indexed.ts";
