import { sha256 } from "../../sha256.ts";
import type { Backend, KeyChange } from "../backend.ts";
import { durable } from "../durable.ts";
import { StoreError } from "../errors.ts";
import { type MemoryDisk, memoryBackend } from "../memory.ts";
import type { StoreFactory } from "../store.ts";

/** What a write may come to, besides succeeding. */
export type Fault =
  /** Nothing arrives, and the writer is told. */
  | "fail"
  /** All arrives, and the writer is told that it failed. */
  | "doubt"
  /** Half arrives, as no atomic batch should allow, and the writer is told that it failed. */
  | "tear";

/** The fault of the n-th write of a backend, counted from 1. */
export type Plan = (write: number) => Fault | null;

/** A backend whose writes go wrong as planned. */
export function faulty(backend: Backend, plan: Plan): Backend {
  let count = 0;
  return {
    place: backend.place,
    open: () => backend.open(),
    settle: () => backend.settle(),
    quarantine: () => backend.quarantine(),
    replace: (pairs, incarnation, witness) => backend.replace(pairs, incarnation, witness),
    erase: () => backend.erase(),
    close: () => backend.close(),
    async write(changes, witness) {
      count += 1;
      const fault = plan(count);
      if (fault === null) return backend.write(changes, witness);
      // No witness: that one follows only a batch that succeeded.
      if (fault === "doubt") await backend.write(changes, null);
      if (fault === "tear") await backend.write(torn(changes), null);
      throw new StoreError("failed", `write ${count} was made to ${fault}`);
    },
  };
}

/** The first half of the changes, and half of the value of the one in the middle. */
function torn(changes: readonly KeyChange[]): KeyChange[] {
  const middle = changes.length >> 1;
  const { key, value } = changes[middle]!;
  const half = value === null ? null : value.slice(0, value.length >> 1);
  return [...changes.slice(0, middle), { key, value: half }];
}

/** A store in memory whose writes go wrong as planned; the plan counts anew for each opener. */
export function faultyStore(disk: MemoryDisk, plan: Plan): StoreFactory {
  return () => durable(faulty(memoryBackend(disk), plan), sha256);
}

/** The power fails: whoever had the disk is gone, and what was written stays. */
export function crash(disk: MemoryDisk): void {
  disk.taken = false;
}
