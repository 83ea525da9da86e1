import { realpath, rename, rmdir } from "node:fs/promises";
import { resolve } from "node:path";
import { StoreBusy } from "../errors.ts";
import type { Change, Contents, Shelf } from "../shelf.ts";
import { clearSynced, type Database, openDatabase, readAll, writeSynced } from "./database.ts";
import { damage, refused } from "./errors.ts";
import { linkFiles, names, readIfThere, remove, syncDirectory } from "./files.ts";
import * as layout from "./layout.ts";
import { salvageBeside } from "./salvage.ts";
import { Witness } from "./witness.ts";

/**
 * Places open in this process. LevelDB knows them too, but when it refuses a second opening in the same process it
 * closes a handle of the lock file, and with that the system gives the lock away to any other process.
 */
const taken = new Set<string>();

/** A shelf in a directory of files, with LevelDB's own lock against other processes. */
export class LevelShelf implements Shelf {
  readonly place: string;
  /** The place without links, so that it has one name only; null while it is not ours. */
  #path: string | null = null;
  #incarnation = 1;
  #database: Database | null = null;
  #witness: Witness | null = null;
  /** The database's files as they were before LevelDB touched them. */
  #before: string | null = null;

  constructor(path: string) {
    this.place = resolve(path);
  }

  open(): Promise<Contents> {
    return this.#guarded(async () => {
      await layout.claim(this.place);
      const path = await realpath(this.place);
      if (taken.has(path)) throw new StoreBusy(this.place);
      taken.add(path);
      this.#path = path;
      try {
        return await this.#read(path);
      } catch (error) {
        await this.close();
        throw error;
      }
    });
  }

  async #read(path: string): Promise<Contents> {
    const { known, incarnation } = await layout.locate(path);
    const witness = await readIfThere(layout.witnessFile(path));
    const directory = layout.databaseOf(path, incarnation);
    this.#incarnation = incarnation;
    this.#before = await setAside(directory, path);
    const pairs = new Map<string, Uint8Array>();
    let fault: string | null = null;
    try {
      this.#database = await openDatabase(directory, !known && witness === null);
      await readAll(this.#database, pairs);
    } catch (error) {
      fault = damage(error);
      if (fault === null) throw error;
      const salvaged = await salvageBeside(this.#before ?? directory, path);
      for (const [key, value] of salvaged.pairs) if (!pairs.has(key)) pairs.set(key, value);
    }
    // Only now is the lock ours. Whoever held it before may have moved on to another incarnation meanwhile.
    if ((await layout.locate(path)).incarnation !== incarnation) throw new StoreBusy(this.place);
    return { pairs, witness, fault, known, incarnation };
  }

  settle(): Promise<void> {
    return this.#owning(async (path) => {
      if (!(await layout.locate(path)).pointed) await layout.point(path, this.#incarnation);
      await this.#tidy(path);
    });
  }

  /** Takes away copies that served their turn, and incarnations that `current` has left behind. */
  async #tidy(path: string): Promise<void> {
    this.#before = null;
    for (const copy of await layout.copiesIn(path)) await remove(copy);
    const old = (await layout.incarnationsIn(path)).filter((it) => it < this.#incarnation);
    for (const incarnation of old) await remove(layout.databaseOf(path, incarnation));
  }

  quarantine(): Promise<string> {
    return this.#owning(async (path) => {
      const { file, free } = await layout.damagedName(path, this.#incarnation);
      if (!free) return file;
      this.#before ??= await setAside(layout.databaseOf(path, this.#incarnation), path, true);
      if (this.#before !== null) await rename(this.#before, file);
      this.#before = null;
      await syncDirectory(path);
      return file;
    });
  }

  replace(pairs: ReadonlyMap<string, Uint8Array>, incarnation: number, witness: Uint8Array): Promise<void> {
    return this.#owning(async (path) => {
      const old = this.#database;
      this.#database = await anew(layout.databaseOf(path, incarnation));
      await old?.close();
      const changes = Array.from(pairs, ([key, value]): Change => ({ key, value }));
      // A repair that was cut short may have left something there, which must not survive beside the new.
      await clearSynced(this.#database, changes);
      await syncDirectory(path);
      await layout.point(path, incarnation);
      this.#incarnation = incarnation;
      this.#note(path, witness);
      await this.#tidy(path);
    });
  }

  write(changes: readonly Change[], witness: Uint8Array | null): Promise<void> {
    return this.#owning(async (path) => {
      await writeSynced(this.#database!, changes);
      if (witness !== null) this.#note(path, witness);
    });
  }

  #note(path: string, witness: Uint8Array): void {
    this.#witness ??= new Witness(layout.witnessFile(path));
    this.#witness.note(witness);
  }

  /** The records go in one batch, so a crash on the way leaves the whole log or a place that counts as new. */
  erase(): Promise<void> {
    return this.#owning(async (path) => {
      for (const file of await layout.aroundIn(path)) await remove(file);
      if (this.#database !== null) await clearSynced(this.#database, []);
      await this.#release();
      for (const directory of await layout.databasesIn(path)) await remove(directory);
      // Stays if somebody keeps other things in it.
      await rmdir(path).catch(() => {});
      this.#giveBack();
    });
  }

  close(): Promise<void> {
    return this.#guarded(async () => {
      const before = this.#before;
      this.#before = null;
      try {
        await this.#release();
        if (before !== null) await remove(before);
      } finally {
        this.#giveBack();
      }
    });
  }

  async #release(): Promise<void> {
    const [witness, database] = [this.#witness, this.#database];
    this.#witness = null;
    this.#database = null;
    witness?.close();
    await database?.close();
  }

  #giveBack(): void {
    if (this.#path !== null) taken.delete(this.#path);
    this.#path = null;
  }

  #owning<T>(work: (path: string) => Promise<T>): Promise<T> {
    return this.#guarded(() => {
      if (this.#path === null) throw new Error("it is not open");
      return work(this.#path);
    });
  }

  /** Whatever the disk says, the store's owner hears it as a `StoreError`. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw refused(this.place, error);
    }
  }
}

/** A database that nothing points to yet. What a repair that was cut short has left there may be past opening. */
async function anew(directory: string): Promise<Database> {
  try {
    return await openDatabase(directory, true);
  } catch (error) {
    if (damage(error) === null) throw error;
    await remove(directory);
    return openDatabase(directory, true);
  }
}

/**
 * A copy of the database's files, or null if there are none. Best effort unless it `must` be: an opener that is about
 * to be refused may lose its copy to the one that holds the lock, and should hear of the lock.
 */
async function setAside(directory: string, path: string, must = false): Promise<string | null> {
  if ((await names(directory)).length === 0) return null;
  const aside = layout.openingCopy(path);
  try {
    await linkFiles(directory, aside);
    return aside;
  } catch (error) {
    await remove(aside).catch(() => {});
    if (must) throw error;
    return null;
  }
}
