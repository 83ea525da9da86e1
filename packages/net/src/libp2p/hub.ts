import { type PeerId, Random } from "@coterie/core";
import { randomBytes } from "@libp2p/crypto";
import type { Connection } from "@libp2p/interface";
import { createVerifier } from "../identity/notary.ts";
import { prefixOf } from "../membership/prefix.ts";
import { Answers } from "./answers.ts";
import { keyFrom } from "./base.ts";
import { noTraffic, type Talk } from "./context.ts";
import { turnAway } from "./earlier.ts";
import { type NetworkViolation, RefusedError, Watch } from "./events.ts";
import { type Hello, meet, type Reception } from "./greeting.ts";
import { HubConnections } from "./hubConnections.ts";
import type { HubLimit } from "./hubLimits.ts";
import { HubLinks } from "./hubLinks.ts";
import { createHubNode, type HubNode, type HubState } from "./hubNode.ts";
import { checkHubOptions, type HubOptions } from "./hubOptions.ts";
import { HubTickets } from "./hubTickets.ts";
import { DOORWAY_MS, EARLIER_PROTOCOL, GUEST_MS, PROTOCOL, STOP_MS, STREAMS_PER_PEER } from "./limits.ts";
import { prepare } from "./node.ts";
import { createProver, entrySeal, type Prover, roomDigest } from "./proof.ts";
import { Relayed } from "./relayed.ts";
import { type Place, Roster } from "./roster.ts";
import { Shares } from "./shares.ts";
import { within } from "./within.ts";

/** What a hub does, in numbers. */
export interface HubCounts {
  readonly rooms: number;
  /** Peers that told it about themselves lately, per room. */
  readonly members: number;
  /** Names that hold a ticket of this hub, per room. */
  readonly tickets: number;
  /** Peers that other hubs told it of; and how many hubs do. */
  readonly traded: number;
  readonly hubs: number;
  readonly connections: number;
  /** Peers that can be reached through it. */
  readonly reservations: number;
  /** Connections that go through it now. */
  readonly circuits: number;
  readonly relayedBytes: number;
  /** Introductions, and their bytes both ways. */
  readonly introductions: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly violations: ReadonlyMap<NetworkViolation, number>;
  /** How often somebody was refused because of a limit, by limit. */
  readonly overloads: ReadonlyMap<HubLimit, number>;
}

/** A room as a hub sees it. */
export interface HubRoom {
  /** Null where it was not told: from peers it hears only the digest. */
  readonly name: string | null;
  /** Of the name, as 64 hex digits. */
  readonly digest: string;
  readonly members: number;
}

/** A peer as a hub sees it. */
export interface HubMember {
  readonly peer: PeerId;
  /** The digest of its room's name. */
  readonly room: string;
  readonly addresses: readonly string[];
  /** Since it last told about itself. */
  readonly silentMs: number;
}

/**
 * A meeting point. It is no member of any room and learns nothing: it keeps what each peer says about itself, hands
 * that to others who ask for the same room, and relays between those who cannot dial each other.
 *
 * A hub sees of a room the digest of its name and of its agreement, whether it has a key, and the names and addresses
 * of those who come. It needs no room key: members prove the key to each other, and an entry of a room with a key is
 * signed together with a seal that only the key opens, so that neither the hub nor a stranger who comes to it can make
 * one. Those who hold the same key show it the same badge, so that it does not introduce strangers to them. What goes through its relay is encrypted between the two ends.
 */
export interface Hub {
  readonly self: PeerId;
  /** Where peers find it: their `bootstrap`. */
  readonly addresses: readonly string[];
  counts(): HubCounts;
  /** Rooms that somebody is in now. */
  rooms(): HubRoom[];
  /** Peers that told it about themselves lately, so many at most. */
  members(most: number): HubMember[];
  close(): Promise<void>;
}

/** Starts a hub; it runs until it is closed. */
export async function startHub(options: HubOptions = {}): Promise<Hub> {
  const settings = checkHubOptions(options);
  prepare();
  const known = new Map<string, Prover | null>();
  for (const { name, roomKey } of settings.rooms ?? []) {
    known.set(hex(roomDigest(name)), roomKey === null ? null : await createProver(roomKey));
  }
  const roster = new Roster(settings.limits, GUEST_MS, (...news) => links.tell(...news));
  const watch = new Watch(settings.onEvent);
  const served = new HubConnections(settings.limits);
  const relayed = new Relayed({
    limits: settings.limits,
    clock,
    beyond: ({ id }) => served.beyond(id),
    overload: (peer, limit) => watch.overload(peer, limit),
    flood: (peer) => watch.violation(peer, "flood"),
  });
  const reserved = new Shares(settings.limits.reservationsPerPrefix);
  const book = { settings, roster, watch, served, relayed, reserved, known };
  const key = await keyFrom(settings.privateKey);
  const libp2p = await createHubNode(book, key);
  const hubs = new Map([...settings.hubs].filter(([name]) => name !== libp2p.peerId.toString()));
  const links = new HubLinks({ libp2p, hubs, roster, watch, clock });
  const tickets = new HubTickets(libp2p.peerId.toString(), key, hubs.keys(), settings.limits);
  const hub = new RunningHub({ ...book, libp2p, links, tickets });
  await hub.start();
  return hub;
}

const clock = (): number => performance.now();
const NOTHING = new Uint8Array();

interface Parts extends HubState {
  readonly libp2p: HubNode;
  readonly links: HubLinks;
  readonly tickets: HubTickets;
}

class RunningHub implements Hub {
  readonly self: PeerId;
  readonly #traffic = noTraffic();
  readonly #random = Random.seeded(Number(new DataView(randomBytes(8).buffer).getBigUint64(0) >> 11n));
  readonly #parts: Parts;
  readonly #answers: Answers;
  #timer: ReturnType<typeof setInterval> | undefined;
  #closed: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { settings, libp2p, watch } = parts;
    this.self = libp2p.peerId.toString();
    const { messageBytes, limits } = settings;
    const context = { watch, messageBytes, clock, traffic: this.#traffic };
    this.#answers = new Answers(context, STREAMS_PER_PEER * limits.connections, this.#door);
  }

  async start(): Promise<void> {
    const { libp2p, links, roster, reserved, served, watch } = this.#parts;
    await libp2p.handle(PROTOCOL, this.#answers.handle, { maxInboundStreams: 2 * STREAMS_PER_PEER });
    await libp2p.handle(EARLIER_PROTOCOL, turnAway(watch));
    libp2p.addEventListener("connection:open", ({ detail }) => this.#opened(detail));
    libp2p.addEventListener("connection:close", ({ detail: { id } }) => served.leave(id));
    libp2p.addEventListener("peer:disconnect", ({ detail }) => {
      libp2p.services.relay.reservations.delete(detail);
      reserved.delete(detail.toString());
      roster.leave(detail.toString());
    });
    await libp2p.start();
    await links.start();
    this.#timer = setInterval(() => roster.tick(clock()), GUEST_MS / 9);
  }

  get addresses(): readonly string[] {
    return this.#parts.libp2p.getMultiaddrs().map(String);
  }

  counts(): HubCounts {
    const { libp2p, roster, watch, relayed, served, links, tickets } = this.#parts;
    const { sentBytes, receivedBytes, served: introductions } = this.#traffic;
    const { rooms, members, traded } = roster;
    const { circuits, bytes: relayedBytes } = relayed;
    const connections = served.size;
    const reservations = libp2p.services.relay.reservations.size;
    const { violations, overloads } = watch;
    const relay = { reservations, circuits, relayedBytes };
    const talk = { introductions, sentBytes, receivedBytes };
    return {
      rooms,
      members,
      tickets: tickets.size,
      traded,
      hubs: links.size,
      connections,
      ...relay,
      ...talk,
      violations,
      overloads,
    };
  }

  rooms(): HubRoom[] {
    const { settings, roster } = this.#parts;
    const names = new Map(settings.rooms?.map(({ name }) => [hex(roomDigest(name)), name]));
    return roster.sizes().map(([digest, members]) => ({ name: names.get(digest) ?? null, digest, members }));
  }

  members(most: number): HubMember[] {
    const [now, found] = [clock(), [] as HubMember[]];
    for (const { room, entry, heard } of this.#parts.roster.guests()) {
      if (found.length >= most) break;
      const { id, addresses } = entry.claim;
      found.push({ peer: id, room, addresses, silentMs: Math.max(0, Math.round(now - heard)) });
    }
    return found;
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    this.#parts.links.close();
    this.#closed ??= within(STOP_MS, Promise.resolve(this.#parts.libp2p.stop()));
    return this.#closed;
  }

  /** One that came when the hub is full may ask, and is told so. */
  #opened(connection: Connection): void {
    const { served, settings } = this.#parts;
    if (settings.hubs.has(connection.remotePeer.toString())) return;
    if (served.enter(connection.id, prefixOf(connection.remoteAddr)) === null) return;
    const timer = setTimeout(() => connection.close().catch(() => {}), DOORWAY_MS);
    connection.addEventListener("close", () => clearTimeout(timer));
  }

  readonly #door = async (...[wire, caller, signal, connection]: Parameters<Answers["door"]>): Promise<Talk> => {
    const { hello, badge } = await meet(
      wire,
      this.self,
      caller,
      (said) => this.#receive(caller, said, connection),
      signal,
    );
    const prefix = prefixOf(connection.remoteAddr);
    const place = placeOf(hello, badge);
    const verify = await this.#verifier(hello);
    const { roster, watch, tickets } = this.#parts;
    // Whoever asks for a ticket, or shows one, is among those who have one, and strangers without are not introduced to it.
    const admitted = { ...place, fit: `ticket ${place.fit}` };
    let here = place;
    return {
      pack: () => {
        this.#traffic.served += 1;
        return { news: roster.introduce(here, caller, clock(), this.#random) };
      },
      reply: async (asks) => {
        if (asks.length === 0 || hello.keyed) return NOTHING;
        here = admitted;
        const granted = await tickets.grant({ peer: caller, room: hello.room, prefix }, asks);
        if (granted.limit === null) return granted.answer;
        watch.overload(caller, granted.limit);
        return NOTHING;
      },
      take: async ({ news }) => {
        for (const { entry } of news) {
          const own = entry.claim.id === caller && (await verify(caller, entry.bytes, entry.signature));
          // It may be gone by now, and nobody would take it off again.
          if (wire.stream.status !== "open") return;
          if (own && (await tickets.admits(entry.claim, hello.room))) here = admitted;
          const limit = own ? roster.sign(here, entry, clock(), prefix) : null;
          if (!own) watch.violation(caller, "forged-entry");
          if (limit === null) continue;
          // There was space when it came. When it comes again it is told.
          watch.overload(caller, limit);
          throw new RefusedError("overloaded", "us");
        }
      },
    };
  };

  #receive(caller: PeerId, hello: Hello, { id, remoteAddr }: Connection): Reception {
    const { settings, known, roster, served, watch } = this.#parts;
    const place = placeOf(hello, null);
    if (settings.rooms !== null && !known.has(place.room)) return { refusal: "another-room" };
    const prover = known.get(place.room) ?? null;
    if (settings.rooms !== null && hello.keyed !== (prover !== null)) return { refusal: "room-key" };
    const limit = served.beyond(id) ?? roster.lacks(caller, place, prefixOf(remoteAddr));
    if (limit !== null) {
      watch.overload(caller, limit);
      return { refusal: "overloaded" };
    }
    return { prover, misfits: (badge) => roster.misfits(placeOf(hello, badge)) };
  }

  /** Entries of an open room, and of one whose key it has, it can check; others their readers check. */
  async #verifier(hello: Hello): Promise<ReturnType<typeof createVerifier>> {
    const prover = this.#parts.known.get(hex(hello.room)) ?? null;
    if (hello.keyed && prover === null) return async () => true;
    return createVerifier(await entrySeal(prover, hello));
  }
}

/** Those who hold another key fit as little as those who agree on something else. */
function placeOf({ room, agreement, keyed }: Hello, badge: Uint8Array | null): Place {
  const key = keyed ? `keyed ${badge === null ? "" : hex(badge)}` : "open";
  return { room: hex(room), fit: `${key} ${hex(agreement)}` };
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
