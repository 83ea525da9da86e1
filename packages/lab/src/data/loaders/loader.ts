import type { Interactions } from "../interactions.ts";

/** Reads the official files of one kind of dataset. */
export interface Loader {
  /** The files that `load` will read; what it makes of them depends on nothing else. */
  files(directory: string): Promise<string[]>;
  load(directory: string): Promise<Interactions>;
}
