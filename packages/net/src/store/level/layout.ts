import { randomUUID } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StoreError } from "../errors.ts";
import { ifThere, names, readIfThere, replaceFile, syncDirectory } from "./files.ts";

/**
 * A store is a directory of its own:
 *
 *     current          which incarnation counts; replaced in one step when a new one is complete
 *     witness          how far the log has come, overwritten behind every batch
 *     incarnation-3/   the database
 *     damaged-2/       what incarnation 2 was when damage was found
 *     opening-…/       the database's files as they were, while it is being opened
 */
export const current = (path: string): string => join(path, "current");
export const witnessFile = (path: string): string => join(path, "witness");
export const databaseOf = (path: string, incarnation: number): string => join(path, `incarnation-${incarnation}`);
/** While the database is opened, and while a copy of it is searched: names that no two openers share. */
export const openingCopy = (path: string): string => join(path, `opening-${randomUUID()}`);
export const salvageCopy = (path: string): string => join(path, `salvage-${randomUUID()}`);

const DATABASE = /^incarnation-([1-9]\d{0,9})$/;
const DAMAGED = /^damaged-\d+(?:-\d+)?$/;
const COPY = /^(opening|salvage)-[0-9a-f-]+$/;
const OURS = [/^current(\.new)?$/, /^witness$/, DATABASE, DAMAGED, COPY];

const isOurs = (name: string): boolean => OURS.some((pattern) => pattern.test(name));
const within = async (path: string, choose: (name: string) => boolean): Promise<string[]> =>
  (await names(path)).filter(choose).map((name) => join(path, name));

export const copiesIn = (path: string): Promise<string[]> => within(path, (name) => COPY.test(name));
export const damagedIn = (path: string): Promise<string[]> => within(path, (name) => DAMAGED.test(name));
export const databasesIn = (path: string): Promise<string[]> => within(path, (name) => DATABASE.test(name));
/** All of ours but the databases. */
export const aroundIn = (path: string): Promise<string[]> =>
  within(path, (name) => isOurs(name) && !DATABASE.test(name));

export interface Place {
  /** Whether `current` is there, whatever it says. */
  readonly known: boolean;
  readonly incarnation: number;
  /** Whether `current` says so. */
  readonly pointed: boolean;
}

/**
 * The incarnation that counts: the one that `current` names, if it is there; else the highest that is. A turned digit
 * must not make a good database look missing.
 */
export async function locate(path: string): Promise<Place> {
  const pointer = await readIfThere(current(path));
  const known = pointer !== null;
  const said = Number(pointer && /^incarnation ([1-9]\d{0,9})\n$/.exec(new TextDecoder().decode(pointer))?.[1]);
  const there = await incarnationsIn(path);
  if (said > 0 && (there.length === 0 || there.includes(said))) return { known, incarnation: said, pointed: true };
  return { known, incarnation: Math.max(1, ...there), pointed: false };
}

export async function incarnationsIn(path: string): Promise<number[]> {
  return (await names(path)).flatMap((name) => DATABASE.exec(name)?.[1] ?? []).map(Number);
}

export const point = (path: string, incarnation: number): Promise<void> =>
  replaceFile(current(path), `incarnation ${incarnation}\n`);

/** A directory for us: made if missing, ours or empty if not. A mistyped path must not fill somebody's home. */
export async function claim(path: string): Promise<void> {
  // What a peer knows of its owner is nobody else's business.
  if ((await ifThere(stat(path), null)) === null) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // Its name is durable only now; where we may not look at the folder above, that is left to the system.
    await syncDirectory(dirname(path)).catch(() => {});
  }
  const found = await names(path);
  if (found.length > 0 && !found.some(isOurs)) {
    throw new StoreError("foreign", `${path} is not a store: it holds other things, such as ${found[0]}`);
  }
}

/** More than one only where a repair failed half-way, as on a full disk; a peer restarted every second must not go on. */
const MOST_COPIES = 9;

/** The next name for a damaged copy, or the last one if there are enough. */
export async function damagedName(path: string, incarnation: number): Promise<{ file: string; free: boolean }> {
  const taken = await names(path);
  let name = `damaged-${incarnation}`;
  for (let n = 2; taken.includes(name) && n <= MOST_COPIES; n++) name = `damaged-${incarnation}-${n}`;
  return { file: join(path, name), free: !taken.includes(name) };
}
