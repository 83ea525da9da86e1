import { StoreError } from "../errors.ts";
import { names } from "./files.ts";

/** Of the layout of a store's folder. Version 1 was a LevelDB database in the folder itself. */
export const STORE_VERSION = 2;
export const VERSION_FOLDER = `v${STORE_VERSION}`;

const LATER = /^v([1-9]\d{0,4})$/;
const FIRST = /^(current(\.new)?|witness|incarnation-\d+|damaged-[\d-]+|(opening|salvage)-[0-9a-f-]+)$/;

/** Files and folders of version 1 among these names. */
export const ofVersion1 = (found: readonly string[]): string[] => found.filter((name) => FIRST.test(name));

/** The version of the store in a folder by the names in it, the highest of several; null where there is none. */
export function versionAmong(found: readonly string[]): number | null {
  const later = found.map((name) => Number(LATER.exec(name)?.[1] ?? 0));
  const highest = Math.max(0, ...later);
  if (highest > 1) return highest;
  return highest === 1 || ofVersion1(found).length > 0 ? 1 : null;
}

/** Throws, with nothing touched, unless the folder is empty or has a store of this version. */
export async function requireVersion(path: string): Promise<void> {
  const found = await names(path);
  const version = versionAmong(found);
  if (version === STORE_VERSION || found.length === 0) return;
  if (version === null) {
    throw new StoreError("foreign", `${path} is not a store: it holds other things, such as ${found[0]}`);
  }
  throw new StoreError(
    "version",
    `the store ${path} is of version ${version}, and this program reads version ${STORE_VERSION}: ${remedy(path, version)}`,
  );
}

const remedy = (path: string, version: number): string =>
  version < STORE_VERSION
    ? `\`coterie upgrade ${path}\` converts it and keeps the old files`
    : "run a program that reads it, or restore a backup that this one made (docs/operate.md)";
