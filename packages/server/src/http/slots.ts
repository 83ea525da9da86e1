import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many connections there may be, and of what kind. */
export interface SlotLimits {
  /** From anywhere. */
  readonly connections: number;
  /** Beyond these, from this machine alone. */
  readonly local: number;
  /** Beyond these, for whoever asks for the process's health. */
  readonly probes: number;
  /** A connection without a request under way for so long gives its slot to whoever comes. */
  readonly idleMs: number;
  /** How long a connection beyond all others may take to ask. */
  readonly probeMs: number;
}

type Kind = "ordinary" | "local" | "probe";

interface Slot {
  readonly kind: Kind;
  /** Requests under way. */
  requests: number;
  /** When it began, or ended its last request: milliseconds of a clock that never jumps. */
  since: number;
}

/**
 * Who may connect. Whoever opens connections and says nothing must not keep others out, and least of all a probe that
 * would end this process for not answering. So a full house takes the slot of whoever has been idle longest; where all are
 * busy, this machine has slots of its own; and beyond these a few connections are let in for a moment, the oldest of
 * them making room for the next, of which only the health is told.
 */
export class ConnectionSlots {
  readonly #limits: SlotLimits;
  /** The longest idle first: a connection goes to the end when its request has ended. */
  readonly #slots = new Map<Socket, Slot>();
  readonly #counts: Record<Kind, number> = { ordinary: 0, local: 0, probe: 0 };

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** A connection has been made. */
  admit(socket: Socket): void {
    const kind = this.#kindFor(socket);
    if (kind === "probe") {
      if (this.#counts.probe >= this.#limits.probes) this.#evict("probe", 0);
      const late = setTimeout(() => socket.destroy(), this.#limits.probeMs);
      socket.once("close", () => clearTimeout(late));
    }
    this.#slots.set(socket, { kind, requests: 0, since: performance.now() });
    this.#counts[kind] += 1;
    socket.once("close", () => this.#leave(socket));
  }

  /** A request has begun; false where this connection is only told of the process's health. */
  begin({ socket, url = "" }: IncomingMessage, answer: ServerResponse): boolean {
    const slot = this.#slots.get(socket);
    if (slot === undefined) return true;
    slot.requests += 1;
    answer.once("close", () => this.#ended(socket, slot));
    return slot.kind !== "probe" || /^\/health(\/live)?(\?|$)/.test(url);
  }

  #kindFor(socket: Socket): Kind {
    if (this.#counts.ordinary < this.#limits.connections) return "ordinary";
    if (this.#evict("ordinary", this.#limits.idleMs)) return "ordinary";
    return isLocal(socket.remoteAddress) && this.#counts.local < this.#limits.local ? "local" : "probe";
  }

  /** Destroys the longest idle of a kind, if it has been idle for so long. */
  #evict(kind: Kind, idleMs: number): boolean {
    const before = performance.now() - idleMs;
    for (const [socket, slot] of this.#slots) {
      if (slot.since > before) return false;
      if (slot.kind !== kind || slot.requests > 0) continue;
      this.#leave(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #ended(socket: Socket, slot: Slot): void {
    slot.requests -= 1;
    slot.since = performance.now();
    if (this.#slots.delete(socket)) this.#slots.set(socket, slot);
  }

  #leave(socket: Socket): void {
    const slot = this.#slots.get(socket);
    if (slot === undefined) return;
    this.#slots.delete(socket);
    this.#counts[slot.kind] -= 1;
  }
}

const isLocal = (address = ""): boolean => /^(::ffff:)?127\.|^::1$/.test(address);
