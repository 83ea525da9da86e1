import { ConfigError, type PeerId, type Random } from "@coterie/core";
import type { PeerHost, TickOutcome } from "../host/host.ts";
import { onAbort } from "../link/onAbort.ts";
import type { Waiting } from "../link/wait.ts";
import type { MeetingEvent } from "../node/event.ts";
import { ANSWER_MS } from "../node/limits.ts";
import type { Clock } from "./clock.ts";
import type { TickOptions } from "./options.ts";

export interface TickingConfig {
  readonly host: PeerHost;
  readonly clock: Clock;
  readonly random: Random;
  /** Null where the app ticks. */
  readonly tick: Required<TickOptions> | null;
  /** What is due before a round closes. */
  readonly before: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export interface TickRequest extends Waiting {
  /** Whom to meet, in place of one drawn from the neighbourhood; null meets nobody. */
  readonly partner?: PeerId | null;
}

/** Ticks the peer when its node says so. One turn at a time: a tick, or something that must not be disturbed by one. */
export class Ticking {
  readonly #config: TickingConfig;
  #last: Promise<unknown> = Promise.resolve();
  #cancel = (): void => {};
  /** What ends the waiting for others; good for many ticks, until it is used. */
  #controller = new AbortController();
  #waiting = false;
  #stopped = false;

  constructor(config: TickingConfig) {
    this.#config = config;
    config.host.driver.onTickIn = (ms) => this.#tickIn(ms);
  }

  /** The peer's own clock begins. */
  start(): Promise<void> {
    const { host, tick, random } = this.#config;
    return host.driver.feed({ kind: "start", tick, random });
  }

  /** Waits for the turn under way; what it waits for from others is cut short. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    if (this.#waiting) this.#controller.abort();
    await this.#last;
  }

  /** Closes the round and meets one partner. */
  tick({ partner, signal }: TickRequest = {}): Promise<TickOutcome> {
    return this.turn(() => this.#tick({ kind: "tick", partner }, signal));
  }

  /** Runs `action` between two ticks. */
  turn<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      if (this.#stopped) throw new ConfigError("peer", "closed", "be open");
      return action();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  #tickIn(ms: number): void {
    this.#cancel();
    if (!this.#stopped) this.#cancel = this.#config.clock.after(ms, () => void this.#due());
  }

  async #due(): Promise<void> {
    const { host, onFailure } = this.#config;
    try {
      await this.turn(() => this.#tick({ kind: "due" }));
    } catch (error) {
      if (!this.#stopped) onFailure(error);
    }
    if (!this.#stopped) await host.driver.node.feed({ kind: "rested" });
  }

  async #tick(event: MeetingEvent, signal?: AbortSignal): Promise<TickOutcome> {
    const { host, clock, before } = this.#config;
    signal?.throwIfAborted();
    await before();
    if (this.#controller.signal.aborted) this.#controller = new AbortController();
    const controller = this.#controller;
    const abort = (): void => controller.abort(signal?.reason);
    const cancel = clock.after(ANSWER_MS, () => controller.abort(new Error("no answer in time")));
    const forget = onAbort(signal, abort);
    this.#waiting = true;
    if (this.#stopped) abort();
    try {
      return await host.driver.turn(event, controller.signal);
    } finally {
      this.#waiting = false;
      forget();
      cancel();
    }
  }
}
