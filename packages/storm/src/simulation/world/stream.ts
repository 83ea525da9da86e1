import type * as parts from "@coterie/net/internal";

/** One end of a conversation over the network, for what libp2p speaks over a stream. */
export class SimulatedStream implements parts.Voice {
  readonly stream = { close: async (): Promise<void> => {} };
  readonly #heard: Uint8Array[] = [];
  #next: ((bytes: Uint8Array) => void) | null = null;

  constructor(readonly say: (bytes: Uint8Array) => void) {}

  hear(bytes: Uint8Array): void {
    if (this.#next === null) this.#heard.push(bytes);
    else this.#next(bytes);
    this.#next = null;
  }

  read(): Promise<Uint8Array> {
    const bytes = this.#heard.shift();
    if (bytes !== undefined) return Promise.resolve(bytes);
    return new Promise((resolve) => {
      this.#next = resolve;
    });
  }

  async write(frames: readonly Uint8Array[]): Promise<void> {
    for (const frame of frames) this.say(frame);
  }
}
