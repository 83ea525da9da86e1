import { keepNewest } from "../keep.ts";

const MOST_KEYS = 4096;

interface Allowance {
  readonly left: number;
  readonly at: number;
}

/** So much at once for each key, and so much more in a unit of time (a token bucket). Pure: the time is an argument. */
export class Allowances {
  readonly #left = new Map<string, Allowance>();

  constructor(
    readonly most: number,
    readonly perUnit: number,
  ) {}

  /** Whether there is one left for this key; then there is one less. */
  spend(key: string, now: number): boolean {
    const { left, at } = this.#left.get(key) ?? { left: this.most, at: now };
    const earned = Math.min(this.most, left + (now - at) * this.perUnit);
    const enough = earned >= 1;
    keepNewest(this.#left, key, { left: enough ? earned - 1 : earned, at: now }, MOST_KEYS);
    return enough;
  }
}
