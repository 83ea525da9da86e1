/** What an app in a browser uses. Nothing here reaches Node. */
export { ConfigError, dcb, dccb, kindred, type PeerId, type Policy, ProtocolViolation, solo } from "@coterie/core";
export * from "./features/index.ts";
export {
  type NetworkEvent,
  type NetworkViolation,
  type Refusal,
  RefusedError,
} from "./libp2p/events.ts";
export type { Libp2pNetwork } from "./libp2p/network.ts";
export { libp2p, type PageOptions, type PageTransport } from "./libp2p/page.ts";
export { type Link, LinkError } from "./link/link.ts";
export { MemoryNetwork } from "./link/memory.ts";
export { memory } from "./link/memoryRoom.ts";
export type { Network, NetworkFactory, Room } from "./link/network.ts";
export * from "./sdk/index.ts";
export { type IndexedOptions, indexed } from "./store/idb/index.ts";
export {
  type MemoryDisk,
  memoryDisk,
  memoryStore,
  type Quarantine,
  StoreBusy,
  StoreError,
  type StoreFactory,
  type StoreFailure,
} from "./store/index.ts";
