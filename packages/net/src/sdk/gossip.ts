import { ConfigError, type PeerId, type Random } from "@coterie/core";
import type { PeerHost, TickOutcome } from "../host/host.ts";
import type { Waiting } from "../link/wait.ts";
import type { Clock } from "./clock.ts";
import type { Members } from "./members.ts";
import type { TickOptions } from "./options.ts";

export interface GossipConfig {
  readonly host: PeerHost;
  readonly members: Members;
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

/** How long an answer is waited for; without one the exchange is in doubt, and the next tick asks again. */
const ANSWER_MS = 10_000;

/** The first call of a newcomer comes within so long of the first partner it finds: until then it knows nothing. */
const FIRST_MS = 300;

/** A newcomer whom nobody answered calls again as soon, so often in all; then it waits as everybody does. */
const FIRST_CALLS = 3;

/** A peer that has come and has not yet heard from anybody. */
interface Arrival {
  /** Where in its span of time the first tick lies, 0 to 1. */
  readonly place: number;
  calls: number;
  /** Is its call coming, or under way? */
  soon: boolean;
}

/** The peer's own clock. One turn at a time: a tick, or something that must not be disturbed by one. */
export class Gossip {
  readonly #config: GossipConfig;
  readonly #partners: Random;
  readonly #jitter: Random;
  #last: Promise<unknown> = Promise.resolve();
  #cancel = (): void => {};
  /** What ends the waiting for others; good for many ticks, until it is used. */
  #controller = new AbortController();
  #waiting = false;
  #stopped = false;
  /** Until the first call; then null. */
  #arrival: Arrival | null = null;
  /** The round when the last tick was over. */
  #round: number;

  constructor(config: GossipConfig) {
    this.#config = config;
    this.#round = config.host.peer.round;
    this.#partners = config.random.fork("partners");
    this.#jitter = config.random.fork("jitter");
  }

  /** The first tick comes anywhere within the first period: peers that start together do not tick together. */
  start(): void {
    const { tick } = this.#config;
    if (tick === null) return;
    const place = this.#jitter.uniform();
    this.#arrival = { place, calls: 0, soon: false };
    this.#next(tick, place * tick.periodMs);
    this.hasten();
  }

  /** There is somebody to meet: the first call need not wait for a whole period. */
  hasten(): void {
    const { tick, members } = this.#config;
    const arrival = this.#arrival;
    if (tick === null || arrival === null || arrival.soon) return;
    if (tick.periodMs <= FIRST_MS || members.partners().length === 0) return;
    arrival.soon = true;
    this.#cancel();
    this.#next(tick, arrival.place * FIRST_MS);
  }

  /** Waits for the turn under way; what it waits for from others is cut short. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    if (this.#waiting) this.#controller.abort();
    await this.#last;
  }

  /** Closes the round and meets one partner. */
  tick(request: TickRequest = {}): Promise<TickOutcome> {
    return this.turn(() => this.#tick(request));
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

  #next(tick: Required<TickOptions>, delayMs: number): void {
    this.#cancel = this.#config.clock.after(delayMs, async () => {
      if (this.#arrival !== null) this.#arrival.soon = true;
      try {
        await this.turn(() => this.#due());
      } catch (error) {
        if (!this.#stopped) this.#config.onFailure(error);
      }
      const { periodMs, jitter } = tick;
      if (this.#stopped) return;
      this.#next(tick, periodMs * (1 + jitter * (2 * this.#jitter.uniform() - 1)));
      if (this.#arrival !== null) this.#arrival.soon = false;
      this.hasten();
    });
  }

  /**
   * A tick of the peer's own clock. Where records are passed on, a peer stays a newcomer until somebody has answered it,
   * and then closes the round at once, so that its next choice rests on what it was told. Where statistics are averaged
   * every round counts, and the clock goes on evenly from the first tick.
   */
  async #due(): Promise<void> {
    const partner = this.#draw();
    const arrival = this.#arrival;
    if (arrival === null) {
      await this.#tick({ partner });
      return;
    }
    const { delivery } = this.#config.host.peer.config.policy;
    if (partner !== null) arrival.calls += 1;
    if (delivery !== "newest" || arrival.calls === FIRST_CALLS) this.#arrival = null;
    const outcome = await this.#tick({ partner });
    if (delivery !== "newest" || outcome === null) return;
    this.#arrival = null;
    await this.#tick({ partner: null });
  }

  async #tick({ partner = this.#draw(), signal }: TickRequest): Promise<TickOutcome> {
    const { host, members, clock, before } = this.#config;
    signal?.throwIfAborted();
    await before();
    await members.tick();
    if (this.#controller.signal.aborted) this.#controller = new AbortController();
    const controller = this.#controller;
    const abort = (): void => controller.abort(signal?.reason);
    const cancel = clock.after(ANSWER_MS, () => controller.abort(new Error("no answer in time")));
    signal?.addEventListener("abort", abort);
    this.#waiting = true;
    if (this.#stopped) abort();
    // A partner that was further took this peer along: that was its round for now. If every tick closed one all the
    // same, rounds would run ahead along chains of meetings, the faster the more peers there are.
    const close = host.peer.round <= this.#round;
    try {
      return await host.tick(partner, { close, signal: controller.signal });
    } finally {
      this.#round = host.peer.round;
      this.#waiting = false;
      signal?.removeEventListener("abort", abort);
      cancel();
    }
  }

  /** Whom the policy would like to meet, if that one is there; else uniform over those alive and near. */
  #draw(): PeerId | null {
    const { host, members } = this.#config;
    const near = members.partners();
    if (near.length === 0) return null;
    const wished = host.peer.learner.suggest?.(this.#partners) ?? null;
    return wished !== null && near.includes(wished) ? wished : near[this.#partners.below(near.length)];
  }
}
