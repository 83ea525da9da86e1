import type { PeerId } from "@coterie/core";
import { type Link, LinkError } from "./link.ts";

/** What happens to a message on its way. */
export type Fate = "delivered" | "lost" | "answer-lost" | "twice";

type Handler = (from: PeerId, message: Uint8Array) => Promise<Uint8Array>;

/** Links within one process. Messages are copied, as a wire would; `fate` may lose or repeat them. */
export class MemoryNetwork {
  readonly #handlers = new Map<PeerId, Handler>();

  constructor(readonly fate: (from: PeerId, to: PeerId) => Fate = () => "delivered") {}

  link(self: PeerId): Link {
    return {
      request: async (to, message, options) => {
        options?.signal?.throwIfAborted();
        return this.#carry(self, to, message);
      },
      serve: (handler) => {
        this.#handlers.set(self, handler);
      },
      close: async () => {
        this.#handlers.delete(self);
      },
    };
  }

  async #carry(from: PeerId, to: PeerId, message: Uint8Array): Promise<Uint8Array> {
    const fate = this.fate(from, to);
    const handler = this.#handlers.get(to);
    await Promise.resolve();
    if (fate === "lost" || handler === undefined) {
      throw new LinkError(`no way from ${from} to ${to}`, handler === undefined);
    }
    const answer = await handler(from, message.slice());
    if (fate === "answer-lost") throw new LinkError(`the answer of ${to} to ${from} was lost`);
    if (fate === "twice") return (await handler(from, message.slice())).slice();
    return answer.slice();
  }
}
