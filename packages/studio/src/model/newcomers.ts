import type { NetworkModel } from "./network.ts";
import { compared, count } from "./words.ts";

/** A newcomer's first choices are so many. */
const FIRST = 20;

/** Those who came together, and what their first choices cost them and their twins. */
interface Batch {
  /** Those that have not made them all. */
  readonly choosing: Set<number>;
  served: number;
  regret: number;
  alone: number;
}

/** How newcomers are served: what their first choices cost, beside the same choices alone. */
export class Newcomers {
  #batches: Batch[] = [];

  /** These have been added. */
  expect(peers: readonly number[]): void {
    this.#batches.push({ choosing: new Set(peers), served: 0, regret: 0, alone: 0 });
  }

  /** `model` is the network after the beat. */
  push(model: NetworkModel, tell: (text: string) => void): void {
    for (const batch of this.#batches) {
      for (const peer of batch.choosing) {
        const gone = !model.isPresent(peer) || model.value(peer, "lied") === 1;
        if (!gone && model.value(peer, "choices") < FIRST) continue;
        batch.choosing.delete(peer);
        if (gone) continue;
        batch.served += 1;
        batch.regret += model.value(peer, "regret");
        batch.alone += model.value(peer, "aloneRegret");
      }
      const words = batch.choosing.size > 0 ? null : compared(batch.regret, batch.alone, "regret");
      if (words === null) continue;
      const those = batch.served === 1 ? "the newcomer" : `the ${count(batch.served, "newcomer")}`;
      tell(
        `the first ${FIRST} choices of ${those} cost ${words} alone: ${batch.regret.toFixed(1)} against ${batch.alone.toFixed(1)}`,
      );
    }
    this.#batches = this.#batches.filter(({ choosing }) => choosing.size > 0);
  }
}
