/** What an app in a browser uses. Nothing here reaches Node. */
export * from "./common.ts";
export { libp2p, type PageOptions, type PageTransport } from "./libp2p/page.ts";
export { type IndexedFactory, type IndexedOptions, indexed } from "./store/idb/index.ts";
export { shared } from "./store/shared/index.ts";
