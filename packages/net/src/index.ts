/** What a Node app uses. */
export { ConfigError, dcb, dccb, kindred, type PeerId, type Policy, ProtocolViolation, solo } from "@coterie/core";
export * from "./features/index.ts";
export {
  type Hub,
  type HubCounts,
  type HubLimits,
  type HubOptions,
  type HubRoom,
  type Libp2pNetwork,
  type Libp2pOptions,
  libp2p,
  type NetworkEvent,
  type NetworkViolation,
  startHub,
} from "./libp2p/index.ts";
export { type Link, LinkError } from "./link/link.ts";
export { type Fate, MemoryNetwork } from "./link/memory.ts";
export { memory } from "./link/memoryRoom.ts";
export type { Network, NetworkFactory, Room } from "./link/network.ts";
export * as parts from "./parts.ts";
export * from "./sdk/index.ts";
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
export { type Inspection, inspect, level } from "./store/level/index.ts";
