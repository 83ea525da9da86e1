import { type PeerId, Random } from "@coterie/core";
import type { CircuitRelayService } from "@libp2p/circuit-relay-v2";
import { randomBytes } from "@libp2p/crypto";
import type { Libp2p } from "@libp2p/interface";
import { tcp } from "@libp2p/tcp";
import { webSockets } from "@libp2p/websockets";
import { createLibp2p } from "libp2p";
import { createVerifier } from "../identity/notary.ts";
import { keep } from "../membership/codec.ts";
import { Answers } from "./answers.ts";
import { baseOptions, keyFrom } from "./base.ts";
import { noTraffic, type Talk } from "./context.ts";
import { type NetworkViolation, Watch } from "./events.ts";
import { type Hello, meet, type Reception } from "./greeting.ts";
import { checkHubOptions, type HubOptions, type HubSettings } from "./hubOptions.ts";
import { GUEST_MS, PROTOCOL, RESERVATION_MS, STOP_MS, STREAMS_PER_PEER } from "./limits.ts";
import { prepare } from "./node.ts";
import { createProver, entrySeal, type Prover, roomDigest } from "./proof.ts";
import { Relayed } from "./relayed.ts";
import { type Place, Roster } from "./roster.ts";
import { within } from "./within.ts";

/** What a hub does, in numbers. */
export interface HubCounts {
  readonly rooms: number;
  /** Peers that told it about themselves lately, per room. */
  readonly members: number;
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
 * one. What goes through its relay is encrypted between the two ends.
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
  const roster = new Roster(settings.limits, GUEST_MS);
  const watch = new Watch(settings.onEvent);
  const relayed = new Relayed(clock, (peer) => watch.violation(peer, "flood"));
  const libp2p = await createHubNode(settings, roster, watch, relayed);
  const hub = new RunningHub({ settings, libp2p, roster, watch, relayed, known });
  await hub.start();
  return hub;
}

const clock = (): number => performance.now();

type HubNode = Libp2p<{ relay: CircuitRelayService }>;

interface Parts {
  readonly settings: HubSettings;
  readonly libp2p: HubNode;
  readonly roster: Roster;
  readonly watch: Watch;
  readonly relayed: Relayed;
  /** The rooms it is for, with their keys; any room where there are none. */
  readonly known: ReadonlyMap<string, Prover | null>;
}

async function createHubNode(settings: HubSettings, roster: Roster, watch: Watch, relayed: Relayed): Promise<HubNode> {
  const { limits } = settings;
  const base = baseOptions(await keyFrom(settings.privateKey), limits.connections);
  return createLibp2p({
    ...base,
    addresses: { listen: [...settings.listen], appendAnnounce: [...settings.announce] },
    transports: [tcp(), webSockets()],
    services: {
      ...base.services,
      relay: relayed.server({
        maxInboundHopStreams: STREAMS_PER_PEER * 16,
        maxOutboundStopStreams: STREAMS_PER_PEER * 16,
        reservations: {
          maxReservations: limits.reservations,
          applyDefaultLimit: false,
          reservationTtl: RESERVATION_MS,
        },
      }),
    },
    connectionGater: {
      // It never dials.
      denyDialMultiaddr: () => true,
      // A reservation is for those who meet here: nobody else's traffic is relayed.
      denyInboundRelayReservation: (peer) => {
        const guest = roster.has(peer.toString());
        if (!guest) watch.violation(peer.toString(), "uninvited");
        return !guest;
      },
    },
  });
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
    const { libp2p, roster } = this.#parts;
    await libp2p.handle(PROTOCOL, this.#answers.handle, { maxInboundStreams: 2 * STREAMS_PER_PEER });
    libp2p.addEventListener("peer:disconnect", ({ detail }) => libp2p.services.relay.reservations.delete(detail));
    this.#timer = setInterval(() => roster.tick(clock()), GUEST_MS / 9);
  }

  get addresses(): readonly string[] {
    return this.#parts.libp2p.getMultiaddrs().map(String);
  }

  counts(): HubCounts {
    const { libp2p, roster, watch, relayed } = this.#parts;
    const { sentBytes, receivedBytes, served: introductions } = this.#traffic;
    const { rooms, members } = roster;
    const { circuits, bytes: relayedBytes } = relayed;
    const connections = libp2p.getConnections().length;
    const reservations = libp2p.services.relay.reservations.size;
    const { violations } = watch;
    const relay = { reservations, circuits, relayedBytes };
    return { rooms, members, connections, ...relay, introductions, sentBytes, receivedBytes, violations };
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
    this.#closed ??= within(STOP_MS, Promise.resolve(this.#parts.libp2p.stop()));
    return this.#closed;
  }

  readonly #door = async (...[wire, caller, signal]: Parameters<Answers["door"]>): Promise<Talk> => {
    const hello = await meet(wire, this.self, caller, (said) => this.#receive(caller, said), signal);
    const place = placeOf(hello);
    const verify = await this.#verifier(hello);
    const { roster, watch } = this.#parts;
    return {
      pack: () => {
        this.#traffic.served += 1;
        return { news: roster.introduce(place, caller, clock(), this.#random), pulses: [] };
      },
      take: async ({ news }) => {
        for (const { entry } of news) {
          const own = entry.claim.id === caller && (await verify(caller, entry.bytes, entry.signature));
          if (!own) watch.violation(caller, "forged-entry");
          else if (!roster.sign(place, keep(entry), clock())) watch.violation(caller, "overloaded");
        }
      },
    };
  };

  #receive(caller: PeerId, hello: Hello): Reception {
    const { settings, known, roster } = this.#parts;
    const place = placeOf(hello);
    if (settings.rooms !== null && !known.has(place.room)) return { refusal: "another-room" };
    const prover = known.get(place.room) ?? null;
    if (settings.rooms !== null && hello.keyed !== (prover !== null)) return { refusal: "room-key" };
    if (!roster.hasSpace(caller, place)) return { refusal: "overloaded" };
    return { prover, misfits: roster.misfits(place) };
  }

  /** Entries of an open room, and of one whose key it has, it can check; others their readers check. */
  async #verifier(hello: Hello): Promise<ReturnType<typeof createVerifier>> {
    const prover = this.#parts.known.get(hex(hello.room)) ?? null;
    if (hello.keyed && prover === null) return async () => true;
    return createVerifier(await entrySeal(prover, hello));
  }
}

function placeOf({ room, agreement, keyed }: Hello): Place {
  return { room: hex(room), fit: `${keyed ? "keyed" : "open"} ${hex(agreement)}` };
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
