import { durable } from "../durable.ts";
import type { StoreFactory } from "../store.ts";
import { nodeSha256 } from "./hash.ts";
import { LevelShelf } from "./shelf.ts";

/** A store in a directory of its own, which is made if it is missing. */
export function level(path: string): StoreFactory {
  return () => durable(new LevelShelf(path), nodeSha256);
}
