import { mkdir, realpath, rename, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Backend, Contents, KeyChange } from "../backend.ts";
import { StoreBusy } from "../errors.ts";
import { refused } from "./errors.ts";
import { linkFiles, readIfThere, remove, syncDirectory } from "./files.ts";
import { nodeSha256 } from "./hash.ts";
import * as layout from "./layout.ts";
import { lock } from "./lock.ts";
import { pathsIn, RecordFiles, readFiles } from "./recordFiles.ts";
import { Witness } from "./witness.ts";

/**
 * Places open in this process. The lock knows them too, but when it refuses a second opening in the same process it
 * closes a handle of its file, and with that the system gives the lock away to any other process.
 */
const taken = new Set<string>();

/** A backend in a folder of files. */
export class FolderBackend implements Backend {
  readonly place: string;
  /** The place without links, so that it has one name only; null while it is not ours. */
  #path: string | null = null;
  #home = "";
  #incarnation = 1;
  #unlock: (() => Promise<void>) | null = null;
  #files: RecordFiles | null = null;
  #witness: Witness | null = null;

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
      this.#home = layout.homeOf(path);
      try {
        this.#unlock = await lock(layout.lockOf(this.#home));
        return await this.#read(this.#home);
      } catch (error) {
        await this.close();
        throw error;
      }
    });
  }

  async #read(home: string): Promise<Contents> {
    const { known, incarnation } = await layout.locate(home);
    const directory = layout.filesOf(home, incarnation);
    const witness = await layout.ifFile(readIfThere(layout.witnessFile(home)));
    const { pairs, fault } = await readFiles(await pathsIn(directory), nodeSha256);
    this.#incarnation = incarnation;
    if (!known) await made(directory, home);
    this.#files = new RecordFiles(directory, nodeSha256);
    return { pairs, witness, fault, known, incarnation };
  }

  settle(): Promise<void> {
    return this.#owning(async (home) => {
      if (!(await layout.locate(home)).pointed) await layout.point(home, this.#incarnation);
      await this.#tidy(home);
    });
  }

  /** Takes away incarnations that `current` has left behind. */
  async #tidy(home: string): Promise<void> {
    const old = (await layout.incarnationsIn(home)).filter((it) => it < this.#incarnation);
    for (const incarnation of old) await remove(layout.filesOf(home, incarnation));
  }

  quarantine(): Promise<string> {
    return this.#owning(async (home) => {
      const { file, free } = await layout.damagedName(home, this.#incarnation);
      if (free) await linkFiles(layout.filesOf(home, this.#incarnation), file);
      await syncDirectory(home);
      return file;
    });
  }

  replace(pairs: ReadonlyMap<string, Uint8Array>, incarnation: number, witness: Uint8Array): Promise<void> {
    return this.#owning(async (home) => {
      const directory = layout.filesOf(home, incarnation);
      // What a repair that was cut short has left there must not survive beside the new.
      await remove(directory);
      await made(directory, home);
      const files = new RecordFiles(directory, nodeSha256);
      await files.fill(pairs);
      await this.#files?.close();
      this.#files = files;
      await layout.point(home, incarnation);
      this.#incarnation = incarnation;
      this.#note(home, witness);
      await this.#tidy(home);
    });
  }

  write(changes: readonly KeyChange[], witness: Uint8Array | null): Promise<void> {
    return this.#owning(async (home) => {
      await this.#files!.write(changes);
      if (witness !== null) this.#note(home, witness);
    });
  }

  #note(home: string, witness: Uint8Array): void {
    this.#witness ??= new Witness(layout.witnessFile(home));
    this.#witness.note(witness);
  }

  /** The pointer and the witness go first: a crash on the way leaves the whole store or a place that counts as new. */
  erase(): Promise<void> {
    return this.#owning(async (home, path) => {
      await remove(layout.current(home));
      await remove(layout.witnessFile(home));
      await this.#files?.close();
      for (const incarnation of await layout.incarnationsIn(home)) {
        await rename(layout.filesOf(home, incarnation), join(home, `erased-${incarnation}`));
      }
      await this.#release();
      await remove(home);
      await remove(join(path, "v1"));
      // Stays if somebody keeps other things in it.
      await rmdir(path).catch(() => {});
      this.#giveBack();
    });
  }

  close(): Promise<void> {
    return this.#guarded(async () => {
      try {
        await this.#release();
      } finally {
        this.#giveBack();
      }
    });
  }

  async #release(): Promise<void> {
    const [witness, files, unlock] = [this.#witness, this.#files, this.#unlock];
    this.#witness = null;
    this.#files = null;
    this.#unlock = null;
    witness?.close();
    try {
      await files?.close();
    } finally {
      await unlock?.();
    }
  }

  #giveBack(): void {
    if (this.#path !== null) taken.delete(this.#path);
    this.#path = null;
  }

  #owning<T>(work: (home: string, path: string) => Promise<T>): Promise<T> {
    return this.#guarded(() => {
      if (this.#path === null) throw new Error("it is not open");
      return work(this.#home, this.#path);
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

async function made(directory: string, home: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await syncDirectory(home);
}
