export * from "./format.ts";
export { Lines } from "./lines.ts";
export { FeedError, MOST_PEERS, parseBeat, parseHeader } from "./parse.ts";
