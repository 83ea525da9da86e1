import type { PeerId, Random } from "@coterie/core";
import type { Bulletin, News, Occasion } from "../membership/entry.ts";
import { MEMBERSHIP_LIMITS } from "../membership/limits.ts";
import { Membership } from "../membership/membership.ts";
import { Bootstrap } from "./bootstrap.ts";
import { Connections } from "./connections.ts";
import { contacts, type GossipEffect, type GossipEvent, type Remember } from "./event.ts";
import { Hubs } from "./hubs.ts";
import { BURST_ROUND_MS, BURST_ROUNDS, FAREWELLS, MOST_UNDER_WAY, REMEMBER_MS } from "./limits.ts";
import { drawPartner } from "./partner.ts";
import { portOf } from "./places.ts";

export interface GossipConfig {
  readonly self: PeerId;
  /** Larger than at the last start, if that can be known. */
  readonly incarnation: number;
  readonly random: Random;
  /** Addresses to begin with. */
  readonly bootstrap: readonly string[];
  /** Hubs, each with its addresses, of which one is enough; the first is the one to keep to. */
  readonly hubs?: readonly (readonly string[])[];
  /** Where others answered before the last start: called while nobody is there. No hub is looked for there. */
  readonly places?: readonly string[] | undefined;
  /** Connections to keep. */
  readonly connections: number;
  /** Whether an address is one that we can dial. */
  readonly mayDial: (address: string) => boolean;
  /** Whose entries are worth keeping, because this peer learns from it. */
  readonly isKin?: ((peer: PeerId) => boolean) | undefined;
}

/**
 * Who is in the room, whom to call and when: membership, rounds of gossip, bootstrap and connections, as one pure machine.
 * It has no socket and no clock. Signatures are checked before an entry comes in, and made for what goes out.
 */
export class Gossip {
  readonly #config: GossipConfig;
  readonly #membership: Membership;
  readonly #bootstrap: Bootstrap;
  readonly #list: Hubs;
  readonly #connections: Connections;
  /** Which hub was found at an address. */
  readonly #hubs = new Map<string, PeerId>();
  /** Hubs through which others reach us. */
  readonly #held = new Set<PeerId>();
  /** Those connected that have said something: others may be no members. */
  readonly #heardFrom = new Set<PeerId>();
  /** Connections that one of the two ends closes to make room. */
  readonly #parting = new Set<string>();
  #serves = false;
  /** Others were told that we go. */
  #hidden = false;
  /** The round under way, from 0. */
  #rounds = -1;
  #underWay = 0;
  #nextMemory = Number.NEGATIVE_INFINITY;
  /** What waits until our own entry is signed. */
  #next: "meet" | "farewell" | null = null;

  constructor(config: GossipConfig, now: number) {
    const { self, incarnation, random, bootstrap, hubs = [], places = [], connections, isKin } = config;
    this.#config = config;
    this.#membership = new Membership(self, incarnation, random, now, isKin);
    this.#bootstrap = new Bootstrap(bootstrap, places, random, (address) => this.#hubs.get(address) ?? null);
    this.#list = new Hubs(hubs, random);
    this.#connections = new Connections(connections, (peer) => this.#held.has(peer));
  }

  step(event: GossipEvent, now: number): (GossipEffect | Remember)[] {
    switch (event.kind) {
      case "round":
        return this.#round(event.addresses, now);
      case "moved":
      case "serves":
        this.#serves ||= event.kind === "serves";
        return this.#claim(event.addresses, false, now);
      case "leaving":
        this.#next = "farewell";
        return this.#claim(event.addresses, true, now);
      case "hidden":
        this.#hidden = true;
        // A hub needs no word: its guests are gone with their sockets.
        return this.#connections.but(new Set(this.#hubs.values())).map((id) => ({ kind: "farewell", id }));
      case "shown":
        this.#hidden = false;
        // As a newcomer does: those who were told that we go have dropped us.
        this.#rounds = -1;
        return this.#round(event.addresses, now);
      case "goodbye":
        return [...this.#membership.gone(event.peer, now)];
      case "signed":
        this.#membership.publish(event.entry, now);
        return this.#goOn(now);
      case "opened":
        this.#connections.open(event.connection, now);
        return [];
      case "parting":
        this.#parting.add(event.id);
        return [];
      case "closed":
        return this.#closed(event.id, now);
      case "heard":
        return this.#heard(event, now);
      case "asking":
      case "asked":
        this.#connections.use(event.peer, 1, now);
        return [];
      case "served":
        this.#connections.use(event.peer, -1, now);
        return [];
      case "answered":
        return this.#answered(event.peer, event.work, now);
      case "failed":
        return this.#failed(event.peer, event.work, now);
      case "reached":
        return this.#reached(event.address, event.hub, event.held, now);
      case "missed":
        return this.#missed(event.address, event.hub, event.refused, now);
      case "improved":
        this.#underWay -= 1;
        return [];
      case "discovered":
        return this.#discovered(event.peer, event.address);
    }
  }

  /** Possible partners that there is a way to, in the order of their names: one that only dials out has no address. */
  alive(): PeerId[] {
    if (this.#hidden) return [];
    return this.#membership.alive().filter((peer) => this.addresses(peer).length > 0 || this.#connections.has(peer));
  }

  /** Everybody in the view, in the order of their names. */
  view(): readonly PeerId[] {
    return this.#membership.reachable();
  }

  /** How long ago a peer was there for sure. */
  age(peer: PeerId, now: number): number {
    return this.#membership.age(peer, now);
  }

  /** Where to dial a peer. */
  addresses(peer: PeerId): readonly string[] {
    return this.#membership.addresses(peer).filter(this.#config.mayDial);
  }

  /** Entries in the view. */
  get size(): number {
    return this.#membership.size;
  }

  /** How many are in the room, this peer included: exact while all fit into the view, else an estimate. */
  get count(): number {
    return this.#membership.count;
  }

  /** What goes along with a message. */
  pack(to: PeerId, occasion: Occasion, now: number): Bulletin {
    return { news: this.#membership.pack(to, occasion, now) };
  }

  /** What a hub is told: our own entry, and nobody else's. */
  introduce(to: PeerId, now: number): Bulletin {
    return { news: this.#membership.introduce(to, now) };
  }

  /** The next answer to `to` carries records of these origins: their entries go along. */
  bring(to: PeerId, origins: readonly PeerId[]): void {
    this.#membership.bring(to, origins);
  }

  /** Whether an entry says something that is worth checking its signature for. */
  wants(news: News, from: PeerId, occasion: Occasion, now: number): boolean {
    return this.#membership.wants(news, from, occasion, now);
  }

  #round(addresses: readonly string[], now: number): (GossipEffect | Remember)[] {
    this.#rounds += 1;
    if (this.#hidden) return [{ kind: "round-in", ms: this.#membership.roundMs }];
    const events = this.#membership.tick(now);
    this.#next ??= this.#underWay < MOST_UNDER_WAY ? "meet" : null;
    const met = this.#claim(addresses, false, now);
    const pace = this.#rounds + 1 < BURST_ROUNDS ? BURST_ROUND_MS : this.#membership.roundMs;
    const wait: GossipEffect = { kind: "round-in", ms: pace * (0.8 + 0.4 * this.#config.random.uniform()) };
    return [...events, ...this.#tidy(now), ...met, ...this.#remember(addresses, now), wait];
  }

  /** Where those answered whom we called, unless that is where to begin anyway. */
  #remember(own: readonly string[], now: number): Remember[] {
    if (now < this.#nextMemory) return [];
    this.#nextMemory = now + REMEMBER_MS;
    const hubs = new Set(this.#hubs.values());
    const isMember = (peer: PeerId): boolean => this.#heardFrom.has(peer) && !hubs.has(peer);
    const answered = this.#connections.called().flatMap(({ peer, address = "" }) => (isMember(peer) ? [address] : []));
    const ports = [...new Set(own.flatMap((address) => portOf(address) ?? []))];
    return answered.length + ports.length === 0 ? [] : [{ kind: "remember", places: { answered, own: ports } }];
  }

  /** What we say of ourselves, signed anew where it has changed or grown old. */
  #claim(places: readonly string[], leaving: boolean, now: number): GossipEffect[] {
    const { addresses: most, addressLength } = MEMBERSHIP_LIMITS;
    const addresses = places.filter(({ length }) => length <= addressLength).slice(0, most);
    const state = { addresses, serves: this.#serves, leaving };
    if (this.#membership.current(state, now) !== null) return this.#goOn(now);
    return [{ kind: "sign", claim: this.#membership.beat(state) }];
  }

  #goOn(now: number): GossipEffect[] {
    const next = this.#next;
    this.#next = null;
    if (next === "farewell") return this.#farewell();
    return next === "meet" ? this.#meet(now) : [];
  }

  #meet(now: number): GossipEffect[] {
    const lonely = this.#membership.size === 0;
    const effects = [
      ...contacts([...this.#bootstrap.due(now, lonely), ...this.#list.due(now)]),
      ...contacts(this.#bootstrap.places(now, lonely), false),
    ];
    const { random, connections: most } = this.#config;
    const hubs = new Set(this.#hubs.values());
    const isMember = (peer: PeerId): boolean =>
      !this.#membership.hasLeft(peer) && (this.#heardFrom.has(peer) || this.#membership.addresses(peer).length > 0);
    const connected = this.#connections.peers().filter((peer) => !hubs.has(peer) && isMember(peer));
    const partner = drawPartner({ membership: this.#membership, connected, most, round: this.#rounds, random }, now);
    if (partner !== null) effects.push({ kind: "call", peer: partner });
    return this.#begin(effects);
  }

  /** One last word to a few that are connected, hubs first. */
  #farewell(): GossipEffect[] {
    const hubs = new Set(this.#hubs.values());
    const hubsFirst = this.#connections.peers().sort((a, b) => Number(hubs.has(b)) - Number(hubs.has(a)));
    return this.#begin(hubsFirst.slice(0, FAREWELLS).map((peer) => ({ kind: "call", peer })));
  }

  #heard({ from, occasion, news, told }: Extract<GossipEvent, { kind: "heard" }>, now: number): GossipEffect[] {
    const events = news.flatMap((one) => this.#membership.learn(one, from, occasion, now));
    if (occasion === "gossip") this.#membership.counted(told, from, now);
    this.#membership.contact(from, now);
    if (this.#connections.has(from)) this.#heardFrom.add(from);
    this.#connections.touch(from, now);
    return events;
  }

  #answered(peer: PeerId, work: boolean, now: number): GossipEffect[] {
    this.#over(peer, work, now);
    this.#membership.contact(peer, now);
    const better = this.#connections.improves(peer, now) ? this.#begin([{ kind: "improve", peer }]) : [];
    return [...this.#tidy(now), ...better];
  }

  #failed(peer: PeerId, work: boolean, now: number): GossipEffect[] {
    this.#over(peer, work, now);
    return [...this.#membership.lost(peer, now)];
  }

  #over(peer: PeerId, work: boolean, now: number): void {
    this.#connections.use(peer, -1, now);
    if (work) this.#underWay -= 1;
  }

  /** Whoever closes a connection to make room says so; else it is a sign that its peer is gone. */
  #closed(id: string, now: number): GossipEffect[] {
    const said = this.#parting.delete(id);
    const peer = this.#connections.close(id);
    if (peer === null) return [];
    this.#heardFrom.delete(peer);
    const gone = said ? [] : this.#membership.lost(peer, now);
    if (!this.#held.delete(peer)) return [...gone];
    // Without the hub nobody reaches us.
    this.#bootstrap.lost();
    this.#list.lost(peer);
    return [...gone, ...this.#begin(contacts(this.#list.due(now)))];
  }

  #reached(address: string, hub: PeerId | null, held: boolean, now: number): GossipEffect[] {
    this.#underWay -= 1;
    const left = this.#list.reached(address, hub, now);
    if (left !== null) this.#held.delete(left);
    if (hub === null) this.#hubs.delete(address);
    else {
      this.#hubs.set(address, hub);
      if (held) this.#held.add(hub);
      this.#bootstrap.found();
    }
    return [];
  }

  #missed(address: string, hub: PeerId | null, refused: boolean, now: number): GossipEffect[] {
    this.#underWay -= 1;
    if (hub !== null) this.#hubs.set(address, hub);
    if (!refused && this.#hubs.has(address)) this.#bootstrap.lost();
    this.#list.missed(address, now);
    // The next of several hubs is called at once.
    return this.#begin(contacts(this.#list.due(now)));
  }

  #discovered(peer: PeerId, address: string): GossipEffect[] {
    if (this.#membership.addresses(peer).length > 0 || this.#underWay >= MOST_UNDER_WAY) return [];
    return this.#begin([{ kind: "contact", address, mayBeHub: false }]);
  }

  #begin(effects: GossipEffect[]): GossipEffect[] {
    this.#underWay += effects.length;
    return effects;
  }

  #tidy(now: number): GossipEffect[] {
    return this.#connections.excess(now).flatMap(({ id }): GossipEffect[] => {
      if (this.#parting.has(id)) return [];
      this.#parting.add(id);
      return [{ kind: "close", id }];
    });
  }
}
