/** What an app in a browser uses. Nothing here reaches Node. */
export * from "./common.ts";
export { libp2p, type PageTransport } from "./libp2p/page.ts";
export { indexed } from "./store/idb/indexed.ts";
export { shared } from "./store/shared/index.ts";
