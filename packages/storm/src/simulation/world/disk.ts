import type { Random } from "@coterie/core";
import { memoryDisk, StoreError } from "@coterie/net";
import type { MemoryDisk } from "@coterie/net/internal";
import * as parts from "@coterie/net/internal";
import type { Damage } from "../plan/fault.ts";
import type { Scheduler } from "./scheduler.ts";

/** What is to become of a write. */
export type WriteFate = "before" | "torn" | "after" | "fail" | "doubt";

/** Whoever has the disk open; dead, it hears of nothing any more. */
export interface DiskUser {
  dead: boolean;
}

/** What a write takes where nothing slows it. */
export const QUICK_MS = 4;

/** A disk that takes time, and whose writes go wrong as planned. What it holds outlives those who open it. */
export class Disk {
  #disk: MemoryDisk = memoryDisk();
  #witness: Uint8Array | null = null;
  /** Fates of coming writes, by how many are to pass before. */
  readonly #planned: { left: number; readonly fate: WriteFate }[] = [];
  writes = 0;
  /** What a write takes at most, beyond the first ms. */
  mostMs = QUICK_MS;

  constructor(
    readonly scheduler: Scheduler,
    readonly random: Random,
    /** The power fails. */
    readonly onCrash: () => void,
  ) {}

  plan(write: number, fate: WriteFate): void {
    this.#planned.push({ left: write, fate });
  }

  forgetPlans(): void {
    this.#planned.length = 0;
  }

  /** How much it holds. */
  get records(): number {
    return this.#disk.pairs.size;
  }

  /** The power failed: what was written stays, but for the witness, which nobody waits for. */
  lose(): void {
    const { pairs } = this.#disk;
    const witness = this.random.below(2) === 0 ? this.#witness : this.#disk.witness;
    this.#disk = { ...this.#disk, pairs: new Map(pairs), taken: false, witness };
  }

  /** True where a byte of a record was turned: that can always be noticed. */
  damage(how: Damage): boolean {
    const keys = [...this.#disk.pairs.keys()];
    if (keys.length === 0) return false;
    const key = keys[this.random.below(keys.length)]!;
    const bytes = this.#disk.pairs.get(key)!.slice();
    if (how === "drop" || bytes.length === 0) this.#disk.pairs.delete(key);
    else if (how === "cut") this.#disk.pairs.set(key, bytes.subarray(0, this.random.below(bytes.length)));
    else {
      bytes[this.random.below(bytes.length)]! ^= 1 << this.random.below(8);
      this.#disk.pairs.set(key, bytes);
    }
    return how === "flip" && bytes.length > 0;
  }

  backend(life: DiskUser): parts.Backend {
    const inner = parts.memoryBackend(this.#disk);
    const disk = this.#disk;
    return {
      place: inner.place,
      open: () => inner.open(),
      settle: () => inner.settle(),
      quarantine: () => inner.quarantine(),
      replace: (pairs, incarnation, witness) => inner.replace(pairs, incarnation, witness),
      erase: () => inner.erase(),
      close: () => inner.close(),
      write: (changes, witness) =>
        new Promise((resolve, reject) => {
          this.scheduler.after(1 + this.mostMs * this.random.uniform(), () => {
            if (life.dead) return;
            this.writes += 1;
            const before = disk.witness;
            const fate = this.#fate();
            if (fate !== null && fate !== "fail" && fate !== "before") {
              void inner.write(fate === "torn" ? torn(changes) : changes, null);
            }
            if (fate === "fail" || fate === "doubt") return reject(new StoreError("failed", `write made to ${fate}`));
            if (fate !== null) return this.onCrash();
            this.#witness = before;
            // Memory is written at once; the time it took has passed already.
            void inner.write(changes, witness);
            resolve();
          });
        }),
    };
  }

  #fate(): WriteFate | null {
    for (const planned of this.#planned) planned.left -= 1;
    const at = this.#planned.findIndex(({ left }) => left <= 0);
    return at < 0 ? null : this.#planned.splice(at, 1)[0]!.fate;
  }
}

/** The first half of the changes, and half of the value of the one in the middle. */
function torn(changes: readonly parts.KeyChange[]): parts.KeyChange[] {
  const middle = changes.length >> 1;
  const { key, value } = changes[middle]!;
  return [...changes.slice(0, middle), { key, value: value === null ? null : value.slice(0, value.length >> 1) }];
}
