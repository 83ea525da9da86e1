import type { Backend, Contents, KeyChange } from "../backend.ts";
import type { StoreError } from "../errors.ts";
import { answer, bytesOf, change, deleteDatabase, keysOf, openDatabase, readAll } from "./database.ts";
import { refused, refusedToOpen } from "./errors.ts";
import { lock } from "./lock.ts";
import { readMark, removeMark, writeMark } from "./mark.ts";

/** As many copies as the store on a disk keeps. */
const MOST_COPIES = 9;

export const placeOf = (name: string): string => `${name} of this browser`;

interface Open {
  readonly database: IDBDatabase;
  readonly unlock: () => Promise<void>;
}

/** A backend in a browser's IndexedDB, with a Web Lock against other tabs. */
export class IndexedBackend implements Backend {
  readonly place: string;
  #open: Open | null = null;
  /** Why the database cannot be used any more. */
  #lost: StoreError | null = null;
  #incarnation = 1;

  constructor(readonly name: string) {
    this.place = placeOf(name);
  }

  async open(): Promise<Contents> {
    try {
      const unlock = await lock(this.name, this.place);
      try {
        this.#lost = null;
        const lost = (error: StoreError): void => {
          this.#lost ??= error;
        };
        this.#open = { unlock, database: await openDatabase(this.name, this.place, lost) };
      } catch (error) {
        await unlock();
        throw error;
      }
      return await this.#read(this.#open.database);
    } catch (error) {
      await this.close();
      throw refusedToOpen(this.place, error);
    }
  }

  async #read(database: IDBDatabase): Promise<Contents> {
    const place = database.transaction("place").objectStore("place");
    const [current, witness] = await Promise.all([answer(place.get("current")), answer(place.get("witness"))]);
    const mark = readMark(this.name);
    const known = current !== undefined || mark > 0;
    const incarnation =
      Number.isSafeInteger(current) && current >= 1 ? Number(current) : Math.max(mark, await highest(database));
    this.#incarnation = incarnation;
    const pairs = new Map<string, Uint8Array>();
    let fault: string | null = null;
    try {
      await readAll(database, incarnation, pairs);
    } catch (error) {
      fault = `the browser cannot read it: ${error instanceof Error ? error.message : error}`;
    }
    return { pairs, witness: witness === undefined ? null : bytesOf(witness), fault, known, incarnation };
  }

  async settle(): Promise<void> {
    await this.#change((table) => {
      table("place").put(this.#incarnation, "current");
    });
    writeMark(this.name, this.#incarnation);
  }

  async quarantine(): Promise<string> {
    return this.#guarded(async ({ database }) => {
      const copies = database.transaction("damaged").objectStore("damaged");
      const taken = new Set(await answer(copies.getAllKeys()));
      let name = `damaged-${this.#incarnation}`;
      for (let n = 2; taken.has(name) && n <= MOST_COPIES; n++) name = `damaged-${this.#incarnation}-${n}`;
      const kept = `${this.place}, ${name}`;
      if (taken.has(name)) return kept;
      const pairs = new Map<string, Uint8Array>();
      // What could be read is all there is to keep.
      await readAll(database, this.#incarnation, pairs).catch(() => {});
      await change(database, (table) => {
        table("damaged").put(pairs, name);
      });
      return kept;
    });
  }

  async replace(pairs: ReadonlyMap<string, Uint8Array>, incarnation: number, witness: Uint8Array): Promise<void> {
    const before = this.#incarnation;
    this.#incarnation = incarnation;
    await this.#change((table) => {
      for (const it of [before, incarnation]) table("records").delete(keysOf(it));
      for (const [key, value] of pairs) table("records").put(new Uint8Array(value), [incarnation, key]);
      table("place").put(incarnation, "current");
      table("place").put(new Uint8Array(witness), "witness");
    });
    writeMark(this.name, incarnation);
  }

  /**
   * The witness goes along in the same transaction. A browser that loses the end of its own log loses both, and nobody
   * can tell; what is lost or changed in the middle, the records' chain shows.
   */
  write(changes: readonly KeyChange[], witness: Uint8Array | null): Promise<void> {
    return this.#change((table) => {
      for (const { key, value } of changes) {
        if (value === null) table("records").delete([this.#incarnation, key]);
        else table("records").put(new Uint8Array(value), [this.#incarnation, key]);
      }
      if (witness !== null) table("place").put(new Uint8Array(witness), "witness");
    });
  }

  async erase(): Promise<void> {
    await this.#guarded(async ({ database, unlock }) => {
      database.close();
      await deleteDatabase(this.name);
      removeMark(this.name);
      this.#open = null;
      await unlock();
    });
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    open?.database.close();
    await open?.unlock();
  }

  #change(work: Parameters<typeof change>[1]): Promise<void> {
    return this.#guarded(({ database }) => change(database, work));
  }

  async #guarded<T>(work: (open: Open) => Promise<T>): Promise<T> {
    try {
      if (this.#open === null) throw new Error("it is not open");
      if (this.#lost !== null) throw this.#lost;
      return await work(this.#open);
    } catch (error) {
      // What the browser says of a transaction that it cut off says less.
      throw this.#lost ?? refused(this.place, error);
    }
  }
}

/** The highest incarnation that has records; 1 where there are none. */
async function highest(database: IDBDatabase): Promise<number> {
  const keys = await answer(database.transaction("records").objectStore("records").getAllKeys());
  return keys.reduce<number>((most, key) => Math.max(most, Number((key as [number, string])[0])), 1);
}
