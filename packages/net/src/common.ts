/** What an app uses wherever it runs. Nothing here reaches Node. */
export {
  assign,
  ConfigError,
  dcb,
  dccb,
  kindred,
  type LogEntry,
  type PeerId,
  type Policy,
  ProtocolViolation,
  solo,
} from "@coterie/core";
export type { ReportAnswer, ReportKind } from "./exchange/report.ts";
export * from "./features/index.ts";
export { type NetworkEvent, type NetworkViolation, type Refusal, RefusedError } from "./libp2p/events.ts";
export type { Libp2pNetwork } from "./libp2p/network.ts";
export { type Link, LinkError } from "./link/link.ts";
export { type Fate, MemoryNetwork } from "./link/memory.ts";
export { memory } from "./link/memoryRoom.ts";
export type { Network, NetworkFactory, Room } from "./link/network.ts";
export * from "./sdk/index.ts";
export { StoreBusy, StoreError, type StoreFailure } from "./store/errors.ts";
export { type MemoryDisk, memoryDisk, memoryStore } from "./store/memory.ts";
export type { Quarantine, StoreFactory } from "./store/store.ts";
export { TokenError, type TokenFault } from "./token/error.ts";
