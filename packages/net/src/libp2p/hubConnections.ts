import type { HubLimit, HubLimits } from "./hubLimits.ts";
import { Shares } from "./shares.ts";

/**
 * A hub's connections: those that it serves, and those that came when it was full. The latter stay only until they have been
 * told so, and take nobody's place.
 */
export class HubConnections {
  readonly #served: Shares;
  readonly #surplus = new Map<string, HubLimit>();

  constructor(readonly limits: Pick<HubLimits, "connections" | "connectionsPerPrefix">) {
    this.#served = new Shares(limits.connectionsPerPrefix);
  }

  /** Connections that are served. */
  get size(): number {
    return this.#served.size;
  }

  /** Connections that are open for now. */
  get all(): number {
    return this.#served.size + this.#surplus.size;
  }

  /** A connection is open. Says which limit it is beyond, if any. */
  enter(id: string, prefix: string | null): HubLimit | null {
    const full = this.#served.size >= this.limits.connections;
    const limit = full ? "connections" : this.#served.isSpent(prefix) ? "connectionsPerPrefix" : null;
    if (limit === null) this.#served.add(id, prefix);
    else this.#surplus.set(id, limit);
    return limit;
  }

  leave(id: string): void {
    this.#served.delete(id);
    this.#surplus.delete(id);
  }

  /** The limit that an open connection is beyond. */
  beyond(id: string): HubLimit | null {
    return this.#surplus.get(id) ?? null;
  }
}
