import type { Message } from "./messages.ts";

export interface Channel {
  post(message: Message): void;
  close(): void;
}

export interface Candidacy {
  /** Gives the ownership back, or leaves the line of those who wait for it. */
  withdraw(): Promise<void>;
}

/** What tabs of one profile have between them. */
export interface Medium {
  /** Hears what the other tabs post under this name. */
  channel(name: string, heard: (message: Message) => void): Channel;
  /** Stands in line for the ownership of `name`; `won` is called when it is this tab's, `failed` where that can never be. */
  stand(name: string, won: () => void, failed: (error: unknown) => void): Candidacy;
}

/**
 * A BroadcastChannel, which keeps the order of one sender's messages; and a Web Lock, which the browser passes on when a
 * tab is closed, killed or discarded. A page that holds one is not frozen.
 */
export const TABS: Medium = {
  channel(name, heard) {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => heard(data as Message);
    return { post: (message) => channel.postMessage(message), close: () => channel.close() };
  },

  stand(name, won, failed) {
    const waiting = new AbortController();
    let owned = false;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const done = navigator.locks
      .request(name, { signal: waiting.signal }, () => {
        if (waiting.signal.aborted) return;
        owned = true;
        won();
        return held;
      })
      .catch((error: unknown) => {
        if (!waiting.signal.aborted) failed(error);
      });
    return {
      async withdraw() {
        waiting.abort();
        release();
        // Chromium forgets to end a request that is aborted as soon as it is made: that one ends when its turn comes.
        if (owned) await done;
      },
    };
  },
};
