import { onAbort } from "../link/onAbort.ts";

/** Lets so many through at a time; others wait in line. */
export class Turnstile {
  readonly #line: (() => void)[] = [];
  #inside = 0;

  constructor(readonly most: number) {}

  async pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#line.shift()?.();
    }
  }

  #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#inside < this.most) {
      this.#inside += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#line.splice(this.#line.indexOf(admit), 1);
        reject(signal?.reason);
      };
      const admit = (): void => {
        forget();
        this.#inside += 1;
        resolve();
      };
      const forget = onAbort(signal, leave);
      this.#line.push(admit);
    });
  }
}
