/** What a Node app uses. */
export * from "./common.ts";
export {
  type Hub,
  type HubCounts,
  type HubLimits,
  type HubMember,
  type HubOptions,
  type HubRoom,
  type Libp2pOptions,
  libp2p,
  startHub,
} from "./libp2p/index.ts";
export * as parts from "./parts.ts";
export { folderStore, type Inspection, inspect } from "./store/folder/index.ts";
