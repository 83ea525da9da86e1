import { pageSha256 } from "../sha256.ts";
import type { Backend, Contents, KeyChange } from "./backend.ts";
import { durable } from "./durable.ts";
import { StoreBusy } from "./errors.ts";
import type { StoreFactory } from "./store.ts";

/** What outlives the openers of a store in memory, as a disk would. */
export interface MemoryDisk {
  pairs: Map<string, Uint8Array>;
  witness: Uint8Array | null;
  known: boolean;
  incarnation: number;
  taken: boolean;
  damaged: ReadonlyMap<string, Uint8Array>[];
}

/** An empty one. */
export const memoryDisk = (): MemoryDisk => ({
  pairs: new Map(),
  witness: null,
  known: false,
  incarnation: 1,
  taken: false,
  damaged: [],
});

/** For tests, and for browsers that forbid storage: what is written lasts as long as the factory does. */
export function memoryStore(disk: MemoryDisk = memoryDisk()): StoreFactory {
  return () => durable(memoryBackend(disk), pageSha256);
}

export function memoryBackend(disk: MemoryDisk): Backend {
  return new MemoryShelf(disk);
}

class MemoryShelf implements Backend {
  readonly place = "in memory";
  readonly #disk: MemoryDisk;
  #mine = false;

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  async open(): Promise<Contents> {
    if (this.#disk.taken) throw new StoreBusy(this.place);
    this.#disk.taken = true;
    this.#mine = true;
    const { pairs, witness, known, incarnation } = this.#disk;
    return { pairs: new Map(pairs), witness, fault: null, known, incarnation };
  }

  async settle(): Promise<void> {
    this.#disk.known = true;
  }

  async quarantine(): Promise<string> {
    const count = this.#disk.damaged.push(new Map(this.#disk.pairs));
    return `memory: damaged copy ${count}`;
  }

  async replace(pairs: ReadonlyMap<string, Uint8Array>, incarnation: number, witness: Uint8Array): Promise<void> {
    Object.assign(this.#disk, { pairs: new Map(pairs), incarnation, witness, known: true });
  }

  async write(changes: readonly KeyChange[], witness: Uint8Array | null): Promise<void> {
    const { pairs } = this.#disk;
    for (const { key, value } of changes) value === null ? pairs.delete(key) : pairs.set(key, value);
    if (witness !== null) this.#disk.witness = witness;
  }

  async erase(): Promise<void> {
    Object.assign(this.#disk, memoryDisk());
    this.#mine = false;
  }

  async close(): Promise<void> {
    if (this.#mine) this.#disk.taken = false;
    this.#mine = false;
  }
}
