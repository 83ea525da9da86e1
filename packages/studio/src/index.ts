export * from "./deck/index.ts";
export * from "./feed/index.ts";
export { groupsOf, Truth } from "./model/groups.ts";
export { NetworkModel } from "./model/network.ts";
export { Series } from "./model/series.ts";
export { Timeline } from "./model/timeline.ts";

/** Where the built pages lie, seen from the sources and from the build alike; `build.mjs` puts them there. */
export const pageDirectory = new URL("../dist/page/", import.meta.url);
