import { type PeerId, Random } from "@coterie/core";
import type { Claim, MembershipEvent, SignedEntry } from "../entry.ts";
import { Membership } from "../membership.ts";

/** An entry for tests of the machine, which never looks at signatures. */
export function entry(id: string, heartbeat: number, change: Partial<Claim> = {}): SignedEntry {
  const claim = { id, addresses: [], incarnation: 1, heartbeat, serves: true, leaving: false, ...change };
  return { claim, bytes: new Uint8Array(), signature: new Uint8Array() };
}

export const sign = (claim: Claim): SignedEntry => ({ claim, bytes: new Uint8Array(), signature: new Uint8Array() });

/** Peers that swap entries with anybody they know, on a clock of our own, over a network that loses messages. */
export class Simulation {
  readonly peers: Membership[];
  readonly events: { readonly at: string; readonly event: MembershipEvent }[] = [];
  readonly down = new Set<string>();
  readonly #random: Random;
  readonly #next: number[];
  now = 0;
  /** All that was sent. */
  entries = 0;

  constructor(
    count: number,
    seed: number,
    readonly loss = 0,
  ) {
    this.#random = Random.seeded(seed);
    this.peers = Array.from({ length: count }, (_, i) => this.#make(i, 1));
    this.#next = this.peers.map(() => 500 * this.#random.uniform());
    for (const peer of this.peers) this.beat(peer);
  }

  #make(index: number, incarnation: number): Membership {
    return new Membership(`p${index}`, incarnation, this.#random.fork(index).fork(incarnation), this.now);
  }

  beat(peer: Membership): void {
    const state = { addresses: ["/ip4/127.0.0.1/tcp/1"], serves: true, leaving: false };
    if (peer.own.current(state, this.now) === null) peer.own.publish(sign(peer.own.beat(state)), this.now);
  }

  /** All others believe `peer` alive, or none does. */
  agree(peer: PeerId, alive: boolean): boolean {
    const others = this.peers.filter(({ self }) => self !== peer && !this.down.has(self));
    return others.every((other) => other.entries.alive().includes(peer) === alive);
  }

  restart(index: number, incarnation: number): void {
    this.peers[index] = this.#make(index, incarnation);
    this.down.delete(`p${index}`);
    this.beat(this.peers[index]!);
  }

  /** Runs until something holds; the time it took, or infinity after `most`. */
  until(holds: () => boolean, most: number): number {
    const begun = this.now;
    while (this.now < begun + most) {
      this.run(50);
      if (holds()) return this.now - begun;
    }
    return Number.POSITIVE_INFINITY;
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end; this.now += 50) {
      for (const [i, peer] of this.peers.entries()) if (this.#next[i]! <= this.now) this.#round(i, peer);
    }
  }

  #round(i: number, peer: Membership): void {
    this.#next[i] = this.now + peer.roundMs * (0.8 + 0.4 * this.#random.uniform());
    if (this.down.has(peer.self)) return;
    this.#note(peer, peer.tick(this.now));
    this.beat(peer);
    const doubtful = peer.doubtful(this.now);
    const choice = doubtful.length > 0 ? doubtful : peer.size > 0 ? peer.entries.reachable() : ["p0"];
    const to = choice[this.#random.below(choice.length)]!;
    if (to !== peer.self) this.#swap(peer, this.peers.find(({ self }) => self === to)!);
  }

  #swap(from: Membership, to: Membership): void {
    const lost = (): boolean => this.#random.uniform() < this.loss;
    const arrived = !this.down.has(to.self) && !lost();
    if (arrived) this.carry(from, to);
    if (arrived && !lost()) this.carry(to, from);
    else this.#note(from, from.entries.lost(to.self, this.now));
  }

  carry(from: Membership, to: Membership): void {
    const news = from.pack(to.self, "gossip", this.now);
    this.entries += news.length;
    for (const one of news) this.#note(to, to.learn(one, from.self, "gossip", this.now));
    to.entries.contact(from.self, this.now);
    to.counted(news, from.self, this.now);
  }

  #note({ self }: Membership, events: readonly MembershipEvent[]): void {
    for (const event of events) this.events.push({ at: self, event });
  }
}
