import { ConfigError } from "@coterie/core";
import type { PeerHost, TickOutcome } from "../host/host.ts";
import { LateNetwork } from "../link/late.ts";
import type { Network } from "../link/network.ts";
import { unlessAborted } from "../link/wait.ts";
import type { Announcements } from "./announcements.ts";
import type { Papers } from "./papers.ts";
import type { Reports } from "./reports.ts";
import type { Settling } from "./settling.ts";
import { memberOf } from "./tabs.ts";
import type { Ticking, TickRequest } from "./ticking.ts";

export interface LifecycleConfig {
  readonly host: PeerHost;
  readonly network: Network;
  readonly papers: Papers;
  readonly announcements: Announcements;
  readonly settling: Settling;
  readonly reports: Reports;
  readonly ticking: Ticking;
}

/** A peer's presence in its room, from the first tick to the last: as owner of its store, or as a tab that follows the owner. */
export class Lifecycle {
  readonly #parts: LifecycleConfig;
  #stopHearing = (): void => {};
  #ending: Promise<void> | null = null;

  constructor(parts: LifecycleConfig) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { host } = this.#parts;
    if (!host.follows) await this.#begin();
    host.shared?.attend(this.#member());
  }

  requireOpen(): void {
    if (this.#ending !== null) throw new ConfigError("peer", "closed", "be open");
  }

  /** A tick apart from the peer's own clock; of the owner's where that is another tab. */
  async tick(request?: TickRequest): Promise<TickOutcome> {
    const { host, ticking } = this.#parts;
    if (!host.follows) return ticking.tick(request);
    const { partner, signal } = request ?? {};
    const { answer } = await unlessAborted(host.shared!.ask({ kind: "tick", partner }), signal);
    return answer as TickOutcome;
  }

  /** Goes on from another state. */
  adopt(state: Uint8Array): Promise<unknown> {
    const { host } = this.#parts;
    return host.follows ? host.shared!.ask({ kind: "adopt", state }) : this.#adopt(state);
  }

  /** What was acknowledged is on the disk. */
  close(): Promise<void> {
    this.#ending ??= this.#end(() => this.#parts.host.close());
    return this.#ending;
  }

  /** Closes, and erases the store. */
  forget(): Promise<void> {
    this.requireOpen();
    this.#ending = this.#end(() => this.#parts.host.erase());
    return this.#ending;
  }

  /** Takes its place in the room: as soon as it owns its store. */
  async #begin(): Promise<void> {
    await this.#join();
    await this.#parts.ticking.start();
  }

  /** Hears who is there from a network that knows, where its node does not find out by itself. */
  async #join(): Promise<void> {
    const { network, host, announcements } = this.#parts;
    if (host.driver.node.gossips) return;
    this.#stopHearing = network.onMembers((event) => {
      host.driver.feed(event).catch((error: unknown) => announcements.failed(error));
    });
    await Promise.all(network.alive().map((peer) => host.driver.feed({ kind: "joined", peer })));
  }

  /** What it is to other tabs, where they share its store. */
  #member(): ReturnType<typeof memberOf> {
    const { host, network, papers, settling, ticking, announcements } = this.#parts;
    const onFailure = (error: unknown): void => announcements.failed(error);
    return memberOf({
      host,
      settling,
      tick: (request) => ticking.tick(request),
      adopt: (state) => this.#adopt(state),
      begin: async () => {
        announcements.emitter.emit({ kind: "owner" });
        await host.note(papers.title());
        if (network instanceof LateNetwork) await network.enter().catch(onFailure);
        await this.#begin();
      },
      closing: () => this.#ending !== null,
      end: () => void (host.follows ? this.close() : this.forget()).catch(onFailure),
      onFailure,
    });
  }

  #adopt(state: Uint8Array): Promise<void> {
    const { host, papers, settling, ticking, announcements } = this.#parts;
    return ticking.turn(async () => {
      settling.flush();
      await host.adopt(state);
      const migrated = papers.migrated();
      if (migrated !== null) announcements.emitter.emit({ kind: "migrated", ...migrated });
    });
  }

  async #end(way: () => Promise<void>): Promise<void> {
    const { host, network, settling, reports, ticking } = this.#parts;
    this.#stopHearing();
    await host.driver.node.feed({ kind: "stop" });
    settling.flush();
    reports.stop();
    await ticking.stop();
    try {
      await way();
    } finally {
      await network.close();
    }
  }
}
