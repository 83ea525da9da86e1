/** What every host shares; nothing here needs Node. */

export { sha256 } from "../sha256.ts";
export { durable } from "./durable.ts";
export { StoreBusy, StoreError, type StoreFailure } from "./errors.ts";
export { type MemoryDisk, memoryDisk, memoryShelf, memoryStore } from "./memory.ts";
export type { Hash } from "./record.ts";
export type { Change, Contents, Shelf } from "./shelf.ts";
export {
  type Entry,
  type LogSize,
  type Quarantine,
  type Recovered,
  STORE_LIMITS,
  type Store,
  type StoreFactory,
  type StoreOptions,
} from "./store.ts";
export { type Summary, summarise } from "./summary.ts";
