/** What an app uses wherever it runs. Nothing here reaches Node. */
export { ConfigError, dcb, dccb, kindred, type PeerId, type Policy, solo } from "@coterie/core";
export {
  cyclic,
  defineFeatures,
  type Feature,
  type Features,
  flag,
  hashed,
  type Item,
  multiHot,
  number,
  oneHot,
  type Tags,
  type Text,
  type Vector,
  vector,
  vectors,
} from "./features/index.ts";
export { RefusedError } from "./libp2p/events.ts";
export type { Libp2pNetwork } from "./libp2p/network.ts";
export { type Link, LinkError } from "./link/link.ts";
export { MemoryNetwork } from "./link/memory.ts";
export { memory } from "./link/memoryRoom.ts";
export type { Network, NetworkFactory, Room } from "./link/network.ts";
export { alone } from "./sdk/alone.ts";
export type { Choice } from "./sdk/choice.ts";
export type { Clock } from "./sdk/clock.ts";
export { createPeer } from "./sdk/createPeer.ts";
export type { PeerEvent } from "./sdk/events.ts";
export type { PeerOptions } from "./sdk/options.ts";
export type { RoomPeer } from "./sdk/roomPeer.ts";
export type { Slate } from "./sdk/slate.ts";
export type { PeerState } from "./sdk/state.ts";
export { StoreBusy, StoreError } from "./store/errors.ts";
export { memoryDisk, memoryStore } from "./store/memory.ts";
export type { StoreFactory } from "./store/store.ts";
export { TokenError } from "./token/error.ts";
