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
export {
  type BackedUp,
  backup,
  folderStore,
  type Inspection,
  inspect,
  type Restored,
  restore,
  type Upgraded,
  upgrade,
} from "./store/folder/index.ts";
