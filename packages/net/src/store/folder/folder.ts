import { durable } from "../durable.ts";
import type { StoreFactory } from "../store.ts";
import { nodeSha256 } from "./hash.ts";
import { FolderShelf } from "./shelf.ts";

/** A store in a folder of its own, which is made if it is missing. */
export function folderStore(path: string): StoreFactory {
  return () => durable(new FolderShelf(path), nodeSha256);
}
