import type { Clock } from "../clock.ts";

/** Time that passes when a test says so. Timers run in the order of their time, then of their making. */
export class TestClock implements Clock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(start = 1_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets so much time pass. After each timer everything that needs no further time is finished first. */
  async pass(delayMs: number): Promise<void> {
    const end = this.#now + delayMs;
    for (;;) {
      await settled();
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }
}

/** A store and a network in memory wait for nothing but promises, and those are all done by the next turn. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
