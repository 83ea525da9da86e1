import { fromSnapshot, initialPeer, type Peer, snapshot, step } from "@coterie/core";
import { meetPair } from "@coterie/core/internal";
import type { PeerDriver, Stage, StageConfig } from "../stage.ts";

/** Peers side by side that lend each other their state, as the lab runs them. */
export const lockstep: PeerDriver = {
  name: "lockstep",
  without: {
    refusal: "peers in lockstep have one agreement by construction, and nothing is sent that could be refused",
    "version mismatch": "nothing is encoded, so nothing has a version",
    "a death while asking": "a meeting takes effect on both sides in one step: there is no moment in between",
  },
  setup: async (config) => new Lockstep(config),
};

class Lockstep implements Stage {
  readonly links = null;
  readonly #config: StageConfig;
  readonly #peers: (Peer | null)[];

  constructor(config: StageConfig) {
    this.#config = config;
    this.#peers = Array.from({ length: config.peers }, (_, i) => this.#make(i, config.peers));
  }

  peer(index: number): Peer {
    const peer = this.#peers[index];
    if (peer === null || peer === undefined) throw new Error(`peer ${index} is not there`);
    return peer;
  }

  name(index: number): string {
    return `${index}`;
  }

  choose(index: number, arms: Parameters<Stage["choose"]>[1]): number {
    const effect = step(this.peer(index), { kind: "choose", arms })[0];
    if (effect?.kind !== "chosen") throw new Error(`a choice came to ${effect?.kind}`);
    return effect.arm;
  }

  async observe(index: number, arm: Float64Array, reward: number): Promise<void> {
    step(this.peer(index), { kind: "observe", arm, reward });
  }

  async turn(closing: readonly number[], pairs: readonly (readonly [number, number])[]): Promise<void> {
    for (const index of closing) step(this.peer(index), { kind: "close" });
    for (const [a, b] of pairs) {
      // Whoever was away goes on in the other's round, as a driver of peers in lockstep has to see to.
      const round = Math.max(this.peer(a).round, this.peer(b).round);
      for (const peer of [this.peer(a), this.peer(b)]) if (peer.round < round) step(peer, { kind: "catch-up", round });
      meetPair(this.peer(a), this.peer(b));
    }
  }

  async join(): Promise<number> {
    const index = this.#peers.length;
    const present = this.#present();
    for (const peer of present) step(peer, { kind: "join", partner: `${index}` });
    this.#peers.push(this.#make(index, present.length + 1));
    return index;
  }

  async leave(index: number): Promise<void> {
    this.#peers[index] = null;
    for (const peer of this.#present()) step(peer, { kind: "leave", partner: `${index}` });
  }

  async crash(index: number): Promise<void> {
    const peer = this.peer(index);
    this.#peers[index] = fromSnapshot(peer.config, snapshot(peer));
  }

  troubles(): number {
    return 0;
  }

  async teardown(): Promise<void> {}

  #make(index: number, peers: number): Peer {
    const { policy, dimension } = this.#config;
    return initialPeer({ id: `${index}`, dimension, policy, peers });
  }

  #present(): Peer[] {
    return this.#peers.filter((peer) => peer !== null);
  }
}
