import { durable } from "../durable.ts";
import type { StoreFactory } from "../store.ts";
import { FolderBackend } from "./backend.ts";
import { nodeSha256 } from "./hash.ts";

/** A store in a folder of its own, which is made if it is missing. */
export function folderStore(path: string): StoreFactory {
  return () => durable(new FolderBackend(path), nodeSha256);
}
