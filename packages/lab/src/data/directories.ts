import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where things that can be made again are kept: COTERIE_CACHE, else the user's cache directory. */
export function cacheDirectory(environment: Environment = process.env): string {
  return environment.COTERIE_CACHE || join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "coterie");
}

/** Where datasets and the register of them are kept: COTERIE_HOME, else the user's data directory. */
export function dataDirectory(environment: Environment = process.env): string {
  return environment.COTERIE_HOME || join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "coterie");
}
