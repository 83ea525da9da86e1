import type { PeerId } from "@coterie/core";
import { MEMBERSHIP_LIMITS } from "../membership/limits.ts";
import { Membership } from "../membership/membership.ts";
import type { NameSource } from "../membership/shares.ts";
import { Bulletins } from "./bulletins.ts";
import { type Connection, Connections } from "./connections.ts";
import { ContactPoints, type ContactPointsConfig } from "./contactPoints.ts";
import { Dialling } from "./dialling.ts";
import type { GossipEffect, GossipEvent, Remember } from "./event.ts";
import { Inbound } from "./inbound.ts";
import { BURST_ROUND_MS, BURST_ROUNDS, FAREWELLS, MOST_UNDER_WAY, REMEMBER_MS } from "./limits.ts";
import { portOf } from "./places.ts";
import { Scores } from "./scores.ts";
import { drawPartner } from "./swapPartner.ts";
import { Tickets } from "./tickets.ts";

export interface GossipConfig extends ContactPointsConfig {
  readonly self: PeerId;
  /** Larger than at the last start, if that can be known. */
  readonly incarnation: number;
  /** Connections to keep. */
  readonly connections: number;
  /** Whether an address is one that we can dial. */
  readonly mayDial: (address: string) => boolean;
  /** What speaks for and against others. */
  readonly scores?: Scores | undefined;
  /** Whether anybody may come, because no key is asked for. True unless told. */
  readonly open?: boolean | undefined;
  /** Hubs whose tickets admit a peer to the room; nobody needs one unless told. */
  readonly tickets?: readonly PeerId[] | undefined;
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
  readonly #points: ContactPoints;
  readonly #connections: Connections;
  readonly #dialling: Dialling;
  readonly #scores: Scores;
  readonly #inbound: Inbound;
  /** Null where nobody needs one. */
  readonly tickets: Tickets | null;
  readonly bulletins: Bulletins;
  #serves = false;
  #hidden = false;
  /** The round under way, from 0. */
  #rounds = -1;
  /** The one in which we last connected to somebody through a hub. */
  #circuit = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  #now = 0;
  /** Possible partners, since the last event. */
  #alive: PeerId[] | null = null;
  #nextMemory = Number.NEGATIVE_INFINITY;
  /** What waits until our own entry is signed. */
  #next: "meet" | "farewell" | null = null;

  constructor(config: GossipConfig, now: number) {
    const { self, incarnation, random, connections, isKin } = config;
    this.#config = config;
    this.#scores = config.scores ?? new Scores();
    this.tickets = config.tickets === undefined ? null : new Tickets(config.tickets);
    this.#membership = new Membership(self, incarnation, random, now, isKin, {
      any: () => this.#scores.doubting,
      of: (source) => this.#scores.doubts(source),
      stands: (peer) => this.#scores.stands(peer),
    });
    this.#points = new ContactPoints(config);
    this.#connections = new Connections(connections, (peer) => this.#points.isHeld(peer), isKin);
    this.#dialling = new Dialling(this.#membership, this.#connections, config.mayDial);
    this.#inbound = new Inbound(this.#connections, this.#scores);
    this.bulletins = new Bulletins(this.#membership, this.#connections, this.#points, this.#scores, this.tickets);
  }

  step(event: GossipEvent, now: number): (GossipEffect | Remember)[] {
    this.#now = now;
    this.#alive = null;
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
        // Nobody believes of us what we signed before the goodbye.
        this.#membership.own.withdraw();
        // A hub needs no word: its guests are gone with their sockets.
        return this.#connections.but(this.#points.hubs).map((id) => ({ kind: "farewell", id }));
      case "shown":
        this.#hidden = false;
        // As a newcomer does: those who were told that we go have dropped us.
        this.#rounds = -1;
        this.#circuit = Number.NEGATIVE_INFINITY;
        return this.#round(event.addresses, now);
      case "goodbye":
        return [...this.#membership.entries.gone(event.peer, now)];
      case "granted":
        this.tickets?.take(event.grant, now);
        return [];
      case "signed":
        this.#membership.own.publish(event.entry, now);
        return this.#goOn(now);
      case "opened":
        return this.#opened(event.connection, now);
      case "offended":
        this.#scores.add(event.peer, event.cause, event.times);
        return [];
      case "parting":
        this.#connections.part(event.id);
        return [];
      case "closed":
        return this.#closed(event.id, now);
      case "heard":
        return this.#heard(event, now);
      case "asking":
        this.#dialling.call(event.peer, now);
        this.#connections.use(event.peer, 1, now);
        return [];
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
        this.#underWay -= 1;
        this.#points.reached(event.address, event.hub, event.held, now);
        return [];
      case "missed":
        this.#underWay -= 1;
        return this.#begin(this.#points.missed(event.address, event.hub, event.refused, now));
      case "improved":
        this.#underWay -= 1;
        return [];
      case "discovered":
        return this.#discovered(event.peer, event.address);
    }
  }

  /** Possible partners that there is a way to, in the order of their names: one that only dials out has no address. */
  alive(): readonly PeerId[] {
    this.#alive ??= this.#hidden
      ? []
      : this.#membership.entries.alive().filter((peer) => this.#dialling.hasWay(peer, this.#now));
    return this.#alive;
  }

  /** Whether others were told that we go. */
  get hidden(): boolean {
    return this.#hidden;
  }

  /** Everybody in the view, in the order of their names. */
  view(): readonly PeerId[] {
    return this.#membership.entries.reachable();
  }

  /** How long ago a peer was there for sure. */
  age(peer: PeerId, now: number): number {
    return this.#membership.entries.age(peer, now);
  }

  /** Where a peer's entry came from. */
  sources(peer: PeerId): readonly NameSource[] {
    return this.#membership.entries.sources(peer);
  }

  /** Whether anybody may come. */
  get open(): boolean {
    return this.#config.open ?? true;
  }

  /** Entries in the view whose peers never answered a call of ours. */
  get unreached(): number {
    return this.#membership.entries.unreached;
  }

  /** Whether a peer may take part: in a room with tickets it has shown a good one. */
  admits(peer: PeerId, now: number): boolean {
    return this.tickets === null || this.tickets.admits(peer, now);
  }

  /** Somebody is refused: its connections end, and what it brought goes. */
  expel(peer: PeerId, now: number): GossipEffect[] {
    this.#alive = null;
    return [
      ...this.#cutOff(peer),
      ...this.#membership.entries.lost(peer, now),
      ...this.#membership.entries.disown(peer),
    ];
  }

  #cutOff(peer: PeerId): GossipEffect[] {
    return this.#connections.to(peer).map(({ id }): GossipEffect => ({ kind: "drop", id }));
  }

  /** Where to dial a peer. */
  addresses(peer: PeerId): readonly string[] {
    return this.#dialling.addresses(peer, this.#now);
  }

  /** A way to somebody is looked for that needs no hub. */
  #improve(peer: PeerId, now: number): GossipEffect[] {
    return this.#dialling.improves(peer, now) ? this.#begin([{ kind: "improve", peer }]) : [];
  }

  #opened(connection: Connection, now: number): GossipEffect[] {
    const { id, peer, address, outbound, relayed } = connection;
    this.#connections.open(connection, now);
    if (outbound === true && relayed) this.#circuit = this.#rounds;
    if (this.#scores.refuses(peer)) return [{ kind: "drop", id }];
    if (address !== undefined && !relayed) this.#dialling.spoke(address, outbound === true);
    if (address !== undefined && outbound === true) this.#points.opened(peer, address);
    // It was under way when the page went out of sight.
    if (this.#hidden && !this.#points.isHub(peer)) return [{ kind: "farewell", id }];
    return this.#inbound.isTooMany(connection) ? [{ kind: "drop", id }] : [];
  }

  /** Entries in the view. */
  get size(): number {
    return this.#membership.size;
  }

  /** How many are in the room, this peer included: exact while all fit into the view and none is in doubt, else an estimate. */
  get count(): number {
    return this.#membership.count;
  }

  /** The next answer to `to` carries records of these origins: their entries go along. */
  bring(to: PeerId, origins: readonly PeerId[]): void {
    this.#membership.bring(to, origins);
  }

  #round(addresses: readonly string[], now: number): (GossipEffect | Remember)[] {
    this.#rounds += 1;
    if (this.#hidden) return [{ kind: "round-in", ms: this.#membership.roundMs }];
    this.#scores.pass(now);
    // Nobody stays whose ticket is out of time.
    const lapsed =
      this.tickets === null ? [] : this.#membership.entries.purge((claim) => this.bulletins.holds(claim, now));
    const events = [...this.#membership.tick(now), ...lapsed];
    this.#next ??= this.#underWay < MOST_UNDER_WAY ? "meet" : null;
    const met = this.#claim(addresses, false, now);
    const pace = this.#rounds + 1 < BURST_ROUNDS ? BURST_ROUND_MS : this.#membership.roundMs;
    const wait: GossipEffect = { kind: "round-in", ms: pace * (0.8 + 0.4 * this.#config.random.uniform()) };
    const excess = this.#inbound.excess().map(({ id }): GossipEffect => ({ kind: "drop", id }));
    return [...events, ...excess, ...this.#makeRoom(now), ...met, ...this.#remember(addresses, now), wait];
  }

  /** Where those answered whom we called, unless that is where to begin anyway. */
  #remember(own: readonly string[], now: number): Remember[] {
    if (now < this.#nextMemory) return [];
    this.#nextMemory = now + REMEMBER_MS;
    const isMember = (peer: PeerId): boolean => this.#connections.hasHeard(peer) && !this.#points.isHub(peer);
    const answered = this.#connections.called().flatMap(({ peer, address = "" }) => (isMember(peer) ? [address] : []));
    const ports = [...new Set(own.flatMap((address) => portOf(address) ?? []))];
    return answered.length + ports.length === 0 ? [] : [{ kind: "remember", places: { answered, own: ports } }];
  }

  /** What we say of ourselves, signed anew where it has changed or grown old. */
  #claim(places: readonly string[], leaving: boolean, now: number): GossipEffect[] {
    this.#dialling.at(places);
    const { addresses: most, addressLength } = MEMBERSHIP_LIMITS;
    const addresses = places.filter(({ length }) => length <= addressLength).slice(0, most);
    const ticket = this.tickets?.own ?? undefined;
    const state = { addresses, serves: this.#serves, leaving, ...(ticket !== undefined && { ticket }) };
    if (this.#membership.own.current(state, now) !== null) return this.#goOn(now);
    return [{ kind: "sign", claim: this.#membership.own.beat(state) }];
  }

  #goOn(now: number): GossipEffect[] {
    const next = this.#next;
    this.#next = null;
    if (next === "farewell") return this.#farewell();
    return next === "meet" ? this.#meet(now) : [];
  }

  #meet(now: number): GossipEffect[] {
    const effects = this.#points.due(now, this.#membership.size === 0);
    const { random, connections: most } = this.#config;
    const { hubs } = this.#points;
    const isMember = (peer: PeerId): boolean =>
      !this.#membership.entries.hasLeft(peer) &&
      (this.#connections.hasHeard(peer) || this.#membership.entries.addresses(peer).length > 0);
    const isTrusted = (peer: PeerId): boolean => this.#scores.trusts(peer, this.sources(peer));
    const connected = this.#connections.peers().filter((peer) => !hubs.has(peer) && isMember(peer) && isTrusted(peer));
    const mayCall = (peer: PeerId): boolean => isTrusted(peer) && this.#dialling.affords(peer, now);
    const room = { membership: this.#membership, connected, most, mayCall };
    const partner = drawPartner({ ...room, round: this.#rounds, circuit: this.#circuit, random }, now);
    if (partner !== null) effects.push({ kind: "call", peer: partner });
    return this.#begin(effects);
  }

  /** One last word to a few that are connected, hubs first. */
  #farewell(): GossipEffect[] {
    const { hubs } = this.#points;
    const hubsFirst = this.#connections.peers().sort((a, b) => Number(hubs.has(b)) - Number(hubs.has(a)));
    return this.#begin(hubsFirst.slice(0, FAREWELLS).map((peer) => ({ kind: "call", peer })));
  }

  #heard(event: Extract<GossipEvent, { kind: "heard" }>, now: number): GossipEffect[] {
    const { from } = event;
    if (this.#scores.refuses(from)) return [];
    const events = this.bulletins.take(event, now);
    // Without a ticket it is heard no further.
    if (events === null) return this.#cutOff(from);
    this.#membership.entries.contact(from, now);
    this.#connections.hear(from, now);
    return events;
  }

  #answered(peer: PeerId, work: boolean, now: number): GossipEffect[] {
    this.#over(peer, work, now);
    // That somebody is where it was said to be speaks for who said so; of exchanges it says nothing.
    if (this.#membership.entries.reached(peer, now)) this.#scores.found(this.#membership.entries.sources(peer));
    return [...this.#makeRoom(now), ...this.#improve(peer, now)];
  }

  #failed(peer: PeerId, work: boolean, now: number): GossipEffect[] {
    this.#over(peer, work, now);
    // Out of sight it is us who fell silent.
    if (this.#hidden) return [];
    if (work) this.#scores.silent(peer, this.#membership.entries.hasReached(peer) ? [] : this.sources(peer));
    return [...this.#membership.entries.lost(peer, now)];
  }

  #over(peer: PeerId, work: boolean, now: number): void {
    this.#dialling.over(peer);
    this.#connections.use(peer, -1, now);
    if (work) this.#underWay -= 1;
  }

  /** Whoever closes a connection to make room says so; else it is a sign that its peer is gone. */
  #closed(id: string, now: number): GossipEffect[] {
    const closed = this.#connections.close(id);
    if (closed === null) return [];
    const gone = closed.parted ? [] : this.#membership.entries.lost(closed.peer, now);
    return [...gone, ...this.#begin(this.#points.closed(closed.peer, now))];
  }

  #discovered(peer: PeerId, address: string): GossipEffect[] {
    if (this.#membership.entries.addresses(peer).length > 0 || this.#underWay >= MOST_UNDER_WAY) return [];
    return this.#begin([{ kind: "contact", address, mayBeHub: false }]);
  }

  #begin(effects: GossipEffect[]): GossipEffect[] {
    this.#underWay += effects.length;
    return effects;
  }

  /** Surplus connections end. */
  #makeRoom(now: number): GossipEffect[] {
    return this.#connections.makeRoom(now).map((id) => ({ kind: "close", id }));
  }
}
