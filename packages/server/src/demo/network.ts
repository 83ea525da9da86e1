import { availableParallelism } from "node:os";
import { ConfigError } from "@coterie/core";
import { type Hub, startHub } from "@coterie/net";
import type { Beat, Fault } from "@coterie/studio";
import { Child } from "./children.ts";
import { Gatherer } from "./gatherer.ts";
import { nameOf } from "./names.ts";
import type { WorkerNews } from "./protocol.ts";

export interface DemoNetworkOptions {
  readonly peers: number;
  readonly policy: string;
  readonly periodMs: number;
  readonly rounds: number | null;
  readonly onBeat: (beat: Beat) => void;
  /** How many peers are up. */
  readonly onProgress: (up: number) => void;
}

const BEAT_MS = 250;
/** Peers opened at once: more dials at a time only wait for each other. */
const OPENING = 4;
const MOST_PEERS = 500;
const HUB_LISTEN = ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"];

/** A hub, and real peers in some processes of their own. Whatever is done to them here is really done. */
export class DemoNetwork {
  readonly clusters: number;
  readonly #options: DemoNetworkOptions;
  readonly #gatherer = new Gatherer();
  readonly #children: Child[] = [];
  readonly #waiting = new Map<number, () => void>();
  readonly #started = performance.now();
  readonly #failures: string[] = [];
  #hub: Hub | null = null;
  #slots = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #stopped: Promise<void> | null = null;

  constructor(options: DemoNetworkOptions) {
    this.#options = options;
    this.clusters = Math.max(1, Math.min(4, Math.floor(options.peers / 3)));
  }

  /** Addresses of the hub: for peers, and for tabs. */
  get hubAddresses(): readonly string[] {
    return this.#hub?.addresses ?? [];
  }

  get failures(): readonly string[] {
    return this.#failures;
  }

  async start(): Promise<void> {
    const { peers, policy, periodMs } = this.#options;
    this.#hub = await startHub({ listen: HUB_LISTEN });
    this.#gatherer.ignore(this.#hub.self);
    const processes = Math.max(2, Math.min(8, availableParallelism(), Math.ceil(peers / 4)));
    for (let k = 0; k < Math.min(processes, peers); k++) {
      const child = new Child(
        (news) => this.#heard(child, news),
        (lost) => this.#lost(lost),
      );
      this.#children.push(child);
      child.send({ kind: "begin", policy, periodMs });
    }
    this.#timer = setInterval(() => this.#options.onBeat(this.#gatherer.beat(this.#now())), BEAT_MS);
    await this.#openMany(peers);
  }

  /** Opens more peers; a new one has the next taste in turn. */
  async add(count: number): Promise<void> {
    if (this.#slots + count > MOST_PEERS)
      throw new ConfigError("count", count, `keep the demo below ${MOST_PEERS} peers`);
    const slots = await this.#openMany(count);
    this.#gatherer.fault("add", slots);
  }

  /** Ends a peer as a crash would: nobody is told. */
  kill(peer: number): void {
    const { slot, child } = this.#find(peer);
    this.#gatherer.fault("kill", [slot]);
    child.send({ kind: "kill", slot });
  }

  lie(peer: number, lies: boolean): void {
    const { slot, child } = this.#find(peer);
    this.#gatherer.fault(lies ? "lie" : "truth", [slot]);
    child.send({ kind: "lie", slot, lies });
  }

  /** Half of every cluster on each side, the hub on the first; no connection between the sides until `heal`. */
  cut(): void {
    const slots = this.#children.flatMap((child) => [...child.slots]);
    const beyond = slots.filter((slot) => Math.floor(slot / this.clusters) % 2 === 1);
    this.#divide("cut", beyond);
  }

  heal(): void {
    this.#divide("heal", []);
  }

  /** Ends everything within two seconds. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    // The hub has nobody left to say goodbye to.
    void this.#hub?.close();
    await Promise.all(this.#children.map((child) => child.stop()));
    clearInterval(this.#timer);
    this.#options.onBeat(this.#gatherer.beat(this.#now()));
  }

  #divide(what: Fault["what"], slots: readonly number[]): void {
    const side = slots.flatMap((slot) => this.#gatherer.idOf(slot) ?? []);
    this.#gatherer.fault(what, slots);
    for (const child of this.#children) child.send({ kind: "cut", side });
  }

  async #openMany(count: number): Promise<number[]> {
    const slots = Array.from({ length: count }, () => this.#slots++);
    const queue = [...slots];
    const worker = async (): Promise<void> => {
      for (let slot = queue.shift(); slot !== undefined; slot = queue.shift()) await this.#open(slot);
    };
    await Promise.all(Array.from({ length: OPENING }, worker));
    return slots;
  }

  #open(slot: number): Promise<void> {
    if (this.#stopped !== null || this.#children.length === 0) return Promise.resolve();
    const child = this.#children.reduce((least, other) => (other.slots.size < least.slots.size ? other : least));
    child.slots.add(slot);
    const bootstrap = this.hubAddresses.filter((address) => !address.includes("/ws"));
    const { rounds } = this.#options;
    return new Promise((resolve) => {
      this.#waiting.set(slot, resolve);
      child.send({ kind: "open", slot, cluster: slot % this.clusters, bootstrap, rounds });
    });
  }

  #heard(child: Child, news: WorkerNews): void {
    if (news.kind === "opened") {
      this.#gatherer.join(news.slot, news.id, nameOf(news.slot), news.slot % this.clusters);
      this.#settle(news.slot);
      this.#options.onProgress(this.#children.reduce((sum, { slots }) => sum + slots.size, -this.#waiting.size));
    }
    if (news.kind === "killed") {
      child.slots.delete(news.slot);
      this.#gatherer.leave(news.slot, "killed");
    }
    if (news.kind === "report") this.#gatherer.take(news.reports, news.alive, this.#now());
    if (news.kind === "failed") this.#failures.push(news.message);
  }

  #lost(child: Child): void {
    this.#children.splice(this.#children.indexOf(child), 1);
    this.#failures.push("a process with peers ended by itself");
    for (const slot of child.slots) {
      this.#gatherer.leave(slot, "lost");
      this.#settle(slot);
    }
  }

  #settle(slot: number): void {
    this.#waiting.get(slot)?.();
    this.#waiting.delete(slot);
  }

  #find(peer: number): { slot: number; child: Child } {
    const slot = this.#gatherer.slotOf(peer);
    const child = this.#children.find(({ slots }) => slot !== undefined && slots.has(slot));
    if (slot === undefined || child === undefined) throw new ConfigError("body.peer", peer, "be a peer of this demo");
    return { slot, child };
  }

  #now(): number {
    return performance.now() - this.#started;
  }
}
