import { keepNewest } from "../keep.ts";

const MOST_KEYS = 4096;

interface Allowance {
  readonly left: number;
  readonly at: number;
}

/** So much at once for each key, and so much more in a unit of time (a token bucket). Pure: the time is an argument. */
export class Allowances {
  readonly #left = new Map<string, Allowance>();

  /** `debt`: how far below nothing a key can be charged. */
  constructor(
    readonly most: number,
    readonly perUnit: number,
    readonly debt = 0,
  ) {}

  /** Whether there is one left for this key; then there is one less. */
  spend(key: string, now: number): boolean {
    const earned = this.#earned(key, now);
    const enough = earned >= 1;
    keepNewest(this.#left, key, { left: enough ? earned - 1 : earned, at: now }, MOST_KEYS);
    return enough;
  }

  /** Takes so many away, also where there are none. */
  charge(key: string, times: number, now: number): void {
    const left = Math.max(-this.debt, this.#earned(key, now) - times);
    keepNewest(this.#left, key, { left, at: now }, MOST_KEYS);
  }

  #earned(key: string, now: number): number {
    const { left, at } = this.#left.get(key) ?? { left: this.most, at: now };
    return Math.min(this.most, left + (now - at) * this.perUnit);
  }
}
