/** What a Node app uses. The parts below are in `internal.ts`, which promises nothing. */
export * from "./common.ts";
export { type Hub, type HubOptions, type Libp2pOptions, libp2p, startHub } from "./libp2p/index.ts";
export { logFile } from "./log/file.ts";
export { backup, folderStore, inspect, restore, upgrade } from "./store/folder/index.ts";
