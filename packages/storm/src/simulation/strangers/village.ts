import { type PeerId, type Policy, Random } from "@coterie/core";
import * as parts from "@coterie/net/internal";
import { Scheduler } from "../world/scheduler.ts";
import type { Stranger } from "./stranger.ts";
import { Villager } from "./villager.ts";

export interface VillageConfig {
  readonly policy: Policy;
  /** Honest peers, and how many of them, the last ones, share the strangers' address prefix. */
  readonly peers: number;
  readonly neighbours: number;
  readonly seed: number;
}

/** Where strangers are, and where somebody is who has nothing to do with any of this. */
export const STRANGE = "198.51.100";
export const THIRD_PARTY = "/ip4/192.0.2.1/tcp/443";

/** How long a call takes to fail. */
export const FAIL_MS = 1000;

/** A small open room in virtual time: the shipped node of each honest peer, and whoever else comes. */
export class Village {
  readonly residents = new Map<PeerId, Villager>();
  readonly strangers = new Map<PeerId, Stranger>();
  /** Dials of honest peers to addresses of a third party. */
  dials = 0;
  /** Exchanges of honest peers that came about, and those with nobody at the other end. */
  exchanges = 0;
  failures = 0;
  /** Of those, the ones that neighbours of the strangers took part in. */
  ofNeighbours = 0;
  /** The share of requests that get lost. */
  loss = 0;
  readonly scheduler = new Scheduler();
  readonly random: Random;
  #made = 0;

  constructor(readonly config: VillageConfig) {
    this.random = Random.seeded(config.seed).fork("village");
    for (let k = 0; k < config.peers; k++) {
      const near = k >= config.peers - config.neighbours;
      this.after(2000 * this.random.uniform(), () => this.come(near ? `${STRANGE}.${10 + k}` : `203.0.${113 + k}.7`));
    }
  }

  get now(): number {
    return this.scheduler.now;
  }

  after(ms: number, action: () => void): void {
    this.scheduler.after(ms, action);
  }

  latency(): number {
    return 10 + 80 * this.random.uniform();
  }

  run(seconds: number): void {
    this.scheduler.runThrough(this.now + 1000 * seconds);
  }

  /** An honest peer comes, or comes back under its name, and was given the address of the first. */
  come(host: string, id?: PeerId): Villager {
    const random = this.random.fork("resident").fork(this.#made++);
    const [first] = this.residents.values();
    const resident = new Villager(this, id ?? this.name(random), `/ip4/${host}/tcp/4001`, first ?? null, random);
    this.residents.set(resident.id, resident);
    resident.start();
    return resident;
  }

  name(random: Random): PeerId {
    return parts.idOf(Uint8Array.from({ length: 32 }, () => random.below(256)));
  }

  exchanged(from: Villager, to: PeerId): void {
    this.exchanges += 1;
    const other = this.residents.get(to);
    if (from.isNeighbour || other?.isNeighbour) this.ofNeighbours += 1;
  }

  reset(): void {
    this.exchanges = 0;
    this.failures = 0;
    this.ofNeighbours = 0;
  }
}
