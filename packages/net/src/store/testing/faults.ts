import { sha256 } from "../../sha256.ts";
import { durable } from "../durable.ts";
import { StoreError } from "../errors.ts";
import { type MemoryDisk, memoryShelf } from "../memory.ts";
import type { Change, Shelf } from "../shelf.ts";
import type { StoreFactory } from "../store.ts";

/** What a write may come to, besides succeeding. */
export type Fault =
  /** Nothing arrives, and the writer is told. */
  | "fail"
  /** All arrives, and the writer is told that it failed. */
  | "doubt"
  /** Half arrives, as no atomic batch should allow, and the writer is told that it failed. */
  | "tear";

/** The fault of the n-th write of a shelf, counted from 1. */
export type Plan = (write: number) => Fault | null;

/** A shelf whose writes go wrong as planned. */
export function faulty(shelf: Shelf, plan: Plan): Shelf {
  let count = 0;
  return {
    place: shelf.place,
    open: () => shelf.open(),
    settle: () => shelf.settle(),
    quarantine: () => shelf.quarantine(),
    replace: (pairs, incarnation, witness) => shelf.replace(pairs, incarnation, witness),
    erase: () => shelf.erase(),
    close: () => shelf.close(),
    async write(changes, witness) {
      count += 1;
      const fault = plan(count);
      if (fault === null) return shelf.write(changes, witness);
      // No witness: that one follows only a batch that succeeded.
      if (fault === "doubt") await shelf.write(changes, null);
      if (fault === "tear") await shelf.write(torn(changes), null);
      throw new StoreError("failed", `write ${count} was made to ${fault}`);
    },
  };
}

/** The first half of the changes, and half of the value of the one in the middle. */
function torn(changes: readonly Change[]): Change[] {
  const middle = changes.length >> 1;
  const { key, value } = changes[middle]!;
  const half = value === null ? null : value.slice(0, value.length >> 1);
  return [...changes.slice(0, middle), { key, value: half }];
}

/** A store in memory whose writes go wrong as planned; the plan counts anew for each opener. */
export function faultyStore(disk: MemoryDisk, plan: Plan): StoreFactory {
  return () => durable(faulty(memoryShelf(disk), plan), sha256);
}

/** The power fails: whoever had the disk is gone, and what was written stays. */
export function crash(disk: MemoryDisk): void {
  disk.taken = false;
}
