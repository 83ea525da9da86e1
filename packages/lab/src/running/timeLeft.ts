import type { Result } from "../results/types.ts";
import type { Cell } from "./cells.ts";

/**
 * How long a run still takes. Policies differ a thousandfold in what a round costs, and rounds grow dearer as a run goes on,
 * so rounds played say little. What a cell costs is known once one of the same world and policy is finished; until then
 * nobody is told a number.
 */
export class TimeLeft {
  /** Seconds of finished cells by world and policy. */
  readonly #costs = new Map<string, { sum: number; count: number }>();
  /** Cells to run by world and policy. */
  readonly #left = new Map<string, number>();
  /** Of the cells finished since the start: what they cost, and when the last one was done. */
  #worked = 0;
  #until = 0;

  constructor(cells: readonly Cell[], earlier: Iterable<Result>) {
    for (const { world, policy } of cells) {
      const key = keyOf(world.name, policy.name);
      this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
    }
    for (const result of earlier) this.#learn(result);
  }

  /** A cell is finished, so many seconds after the start. */
  finished(result: Result, now: number): void {
    const key = keyOf(result.row.world, result.row.policy);
    this.#left.set(key, this.#left.get(key)! - 1);
    this.#learn(result);
    this.#worked += result.row.secondsPerRun;
    this.#until = now;
  }

  /** Null until it can be told. */
  seconds(now: number): number | null {
    // How much of a run's cost is worked off in a second: the threads, less what else the machine does.
    const speed = this.#worked / this.#until;
    if (!(speed > 0)) return null;
    let cost = 0;
    for (const [key, count] of this.#left) {
      const known = this.#costs.get(key);
      if (count > 0 && known === undefined) return null;
      if (known !== undefined) cost += (count * known.sum) / known.count;
    }
    return Math.max(0, cost / speed - (now - this.#until));
  }

  #learn({ row }: Result): void {
    const key = keyOf(row.world, row.policy);
    const { sum, count } = this.#costs.get(key) ?? { sum: 0, count: 0 };
    this.#costs.set(key, { sum: sum + row.secondsPerRun, count: count + 1 });
  }
}

const keyOf = (world: string, policy: string): string => JSON.stringify([world, policy]);
