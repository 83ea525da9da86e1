import * as clusters from "./clusters/config.ts";
import type { WorldConfig } from "./parse.ts";

/** Does every peer choose exactly once in every round, and hear of its reward at once? */
export const isSteady = (config: WorldConfig): boolean =>
  config.kind === "clusters" ? clusters.isSteady(config) : config.order !== "time";

/** Are there rounds in which some peer is not there, or another than before? */
export const comeAndGo = (config: WorldConfig): boolean =>
  config.kind === "clusters" ? clusters.comeAndGo(config) : config.order === "time";

/** Do new peers take the places of others? */
export const hasVisitors = (config: WorldConfig): boolean => config.kind === "clusters" && config.visits !== undefined;
