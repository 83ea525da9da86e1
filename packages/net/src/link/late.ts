import type { PeerId } from "@coterie/core";
import { type Link, LinkError } from "./link.ts";
import type { Network } from "./network.ts";

type Changed = Parameters<Network["onMembers"]>[0];
type Handler = Parameters<Link["serve"]>[0];

/** A network that is joined later: by a tab that does not own its store yet. Until then nobody is there. */
export class LateNetwork implements Network {
  readonly link: Link;
  readonly #name: () => PeerId;
  readonly #join: () => Promise<Network>;
  readonly #listeners = new Set<Changed>();
  #handler: Handler | null = null;
  #network: Network | null = null;
  #closed = false;

  constructor(name: () => PeerId, join: () => Promise<Network>) {
    this.#name = name;
    this.#join = join;
    this.link = {
      request: (to, message, options) => {
        if (this.#network === null)
          return Promise.reject(new LinkError(`no way to ${to}: the network is not joined yet`));
        return this.#network.link.request(to, message, options);
      },
      serve: (handler) => {
        this.#handler = handler;
        this.#network?.link.serve(handler);
      },
      close: async () => this.#network?.link.close(),
    };
  }

  /** Joins, once. */
  async enter(): Promise<void> {
    const network = await this.#join();
    if (this.#closed) return network.close();
    this.#network = network;
    if (this.#handler !== null) network.link.serve(this.#handler);
    network.onMembers((event) => {
      for (const listener of this.#listeners) listener(event);
    });
  }

  get self(): PeerId {
    return this.#network?.self ?? this.#name();
  }

  alive(): readonly PeerId[] {
    return this.#network?.alive() ?? [];
  }

  onMembers(changed: Changed): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#network?.close();
  }
}
