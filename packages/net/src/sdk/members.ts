import type { PeerId } from "@coterie/core";
import type { PeerHost } from "../host/host.ts";
import type { Network } from "../link/network.ts";

/**
 * Members that were known before a restart and have not been seen since are given so many ticks in company before they
 * count as gone: five minutes at the usual pace. Nobody else will ever say that they left.
 */
export const PROBATION_TICKS = 30;

/** Keeps the state machine's list of members in step with the network's. */
export class Members {
  readonly #host: PeerHost;
  readonly #network: Network;
  readonly #changed: () => void;
  readonly #onFailure: (error: unknown) => void;
  #missing: Set<PeerId>;
  /** Those for whom this peer is a stranger, and since which tick: they parted from it while it was away. */
  readonly #aloof = new Map<PeerId, number>();
  #ticks = 0;
  /** The tick from which on the missing are waited for. */
  #since = 0;
  #stop = (): void => {};

  constructor(host: PeerHost, network: Network, changed: () => void, onFailure: (error: unknown) => void) {
    this.#host = host;
    this.#network = network;
    this.#changed = changed;
    this.#onFailure = onFailure;
    this.#missing = new Set(host.members);
  }

  /** Follows the network from now on. */
  async start(): Promise<void> {
    this.#stop = this.#network.onMembers(({ kind, peer }) => {
      this.#move(kind === "joined" ? "join" : "leave", peer).catch(this.#onFailure);
    });
    await Promise.all(this.#network.alive().map((peer) => this.#move("join", peer)));
  }

  stop(): void {
    this.#stop();
  }

  /** The state was replaced by another, with other members in it. */
  async restart(): Promise<void> {
    this.stop();
    this.#missing = new Set(this.#host.members);
    this.#since = this.#ticks;
    await this.start();
  }

  /** Those worth meeting: alive, of this peer's own kind, not of another opinion, and not known for nonsense. */
  partners(): PeerId[] {
    const host = this.#host;
    const worth = (peer: PeerId): boolean =>
      host.peer.learner.near(peer) && !this.#aloof.has(peer) && host.admits(peer) && host.scores.trusts(peer);
    return this.#network.alive().filter(worth);
  }

  /** `peer` said that this one is a stranger to it: it is left alone for a while. */
  rejected(peer: PeerId): void {
    this.#aloof.set(peer, this.#ticks);
  }

  get count(): number {
    return this.#host.members.size;
  }

  /** How many members are in the neighbourhood, alive or not. */
  get nearCount(): number {
    const { learner } = this.#host.peer;
    let count = 0;
    for (const peer of this.#host.members) if (learner.near(peer)) count += 1;
    return count;
  }

  /** Whoever is still missing when the time is up has left. A peer that sees nobody has no say in who is there. */
  async tick(): Promise<void> {
    if (this.#network.alive().length === 0) return;
    this.#ticks += 1;
    for (const [peer, since] of this.#aloof) if (this.#ticks - since >= PROBATION_TICKS) this.#aloof.delete(peer);
    if (this.#missing.size === 0 || this.#ticks - this.#since < PROBATION_TICKS) return;
    await Promise.all(Array.from(this.#missing, (peer) => this.#move("leave", peer)));
  }

  async #move(kind: "join" | "leave", peer: PeerId): Promise<void> {
    this.#missing.delete(peer);
    const { changes } = this.#host;
    const written = this.#host.member(kind, peer);
    if (this.#host.changes !== changes) this.#changed();
    await written;
  }
}
