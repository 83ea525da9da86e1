import type { Random } from "@coterie/core";
import type { RunDigest } from "./runDigest.ts";
import type { Scheduler } from "./scheduler.ts";

/** A cut between two sides. */
export interface Partition {
  readonly side: ReadonlySet<number>;
  readonly oneWay: boolean;
}

/** How much later the second copy of a message may come. */
const REPLAY_MS = 6000;

/** The way messages take between peers, with the weather on it. */
export class SimulatedNetwork {
  loss = 0;
  duplicates = 0;
  mostDelayMs = 0;
  /** Faults are on. */
  rough = false;
  readonly cuts = new Set<Partition>();
  sent = 0;
  lost = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly random: Random,
    readonly trace: RunDigest,
  ) {}

  /** Carries one message, or none, or two of it. */
  carry(from: number, to: number, bytes: Uint8Array, deliver: () => void): void {
    const copies = this.rough && this.random.uniform() < this.duplicates ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      this.sent += 1;
      const spread = this.rough ? this.mostDelayMs * this.random.uniform() ** 2 : 0;
      const late = 2 + 8 * this.random.uniform() + spread + copy * REPLAY_MS * this.random.uniform() ** 4;
      if (this.rough && (this.#isCut(from, to) || this.random.uniform() < this.loss)) {
        this.lost += 1;
        this.trace.add("lost", from, to);
        continue;
      }
      this.scheduler.after(late, () => {
        this.trace.bytes("heard", to, bytes);
        deliver();
      });
    }
  }

  #isCut(from: number, to: number): boolean {
    for (const { side, oneWay } of this.cuts) {
      if (side.has(from) !== side.has(to) && (!oneWay || side.has(from))) return true;
    }
    return false;
  }
}
