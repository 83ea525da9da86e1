import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@coterie/core";

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A stall is what a lost packet looks like from above TCP: nothing for a while, then all of it. */
const STALL_MS = [300, 3000] as const;

/**
 * Passes TCP on, late: every piece of every connection waits for a time of its own, so that what goes over one connection
 * overtakes what went over another. It cannot reorder within a connection: nothing above TCP can.
 */
export class SlowProxy {
  /** The longest delay of a piece. */
  mostDelayMs = 0;
  /** The chance that a piece stalls. */
  stalls = 0;
  #open = Promise.resolve();
  #release = (): void => {};
  readonly #sockets = new Set<Socket>();

  private constructor(
    readonly server: Server,
    readonly target: Endpoint,
    readonly random: Random,
  ) {
    server.on("connection", (socket) => this.#pass(socket));
  }

  static async open(host: string, target: Endpoint, random: Random): Promise<SlowProxy> {
    const server = createServer({ allowHalfOpen: true });
    const proxy = new SlowProxy(server, target, random);
    server.listen(0, host);
    await once(server, "listening");
    return proxy;
  }

  get port(): number {
    const address = this.server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  /** While it is cut nothing passes, and nobody is told. */
  cut(on: boolean): void {
    this.#release();
    if (!on) return;
    this.#open = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  close(): void {
    this.cut(false);
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(near: Socket): void {
    const far = connect({ ...this.target, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => this.#sockets.delete(from));
      // What breaks off is the same to whoever is on the other side: a connection that ends.
      this.#carry(from, to).catch(() => {
        from.destroy();
        to.destroy();
      });
    }
  }

  /** One piece at a time: who sends faster than this waits, as on a slow line. */
  async #carry(from: Socket, to: Socket): Promise<void> {
    // Its other direction may go on when this one has ended.
    for await (const piece of from.iterator({ destroyOnReturn: false })) {
      await this.#wait();
      if (to.destroyed) throw new Error("there is nobody any more to pass it on to");
      if (!to.write(piece)) await Promise.race([once(to, "drain"), once(to, "close")]);
    }
    to.end();
  }

  async #wait(): Promise<void> {
    let delayMs = this.mostDelayMs * this.random.uniform();
    if (this.random.uniform() < this.stalls)
      delayMs += STALL_MS[0] + (STALL_MS[1] - STALL_MS[0]) * this.random.uniform();
    if (delayMs > 0) await sleep(delayMs);
    await this.#open;
  }
}
