import { requireWhole } from "./options.ts";

/**
 * How much a hub takes on. What goes beyond is refused as `overloaded`, and counted under the name of the limit. A prefix is the
 * part of an address that one owner usually has whole: 24 bits of IPv4, 48 of IPv6. On the hub's own machine there are none.
 */
export interface HubLimits {
  readonly connections: number;
  readonly connectionsPerPrefix: number;
  /** Peers that can be reached through it. */
  readonly reservations: number;
  readonly reservationsPerPrefix: number;
  /** Connections that go through it. */
  readonly circuits: number;
  readonly circuitsPerPrefix: number;
  readonly rooms: number;
  readonly roomsPerPeer: number;
  readonly roomsPerPrefix: number;
  /** Of all rooms together; a peer counts once in each of its rooms. */
  readonly members: number;
  readonly membersPerRoom: number;
  /** In rooms with tickets: new names from one prefix in a minute, and those that hold a ticket at once. */
  readonly ticketsPerMinute: number;
  readonly ticketsPerPrefix: number;
  /** Guests of other hubs that it knows of; more are passed over. */
  readonly traded: number;
  /** Bytes that it relays for one peer at once, and per second: more ends the circuit. */
  readonly relayBytes: number;
  readonly relayBytesPerSecond: number;
  /** Connections that are being set up at once, and that one address may begin in a second: others must dial again. */
  readonly handshakes: number;
  readonly arrivalsPerSecond: number;
}

/** Names a limit that refuses a peer, and tells it so. */
export type HubLimit = Exclude<
  keyof HubLimits,
  "traded" | "relayBytes" | "relayBytesPerSecond" | "handshakes" | "arrivalsPerSecond"
>;

const MB = 1024 * 1024;

/** For one core: each connection costs 0.3 MB, and large exchanges go through it every few seconds. */
export const HUB_LIMITS: HubLimits = {
  connections: 1024,
  connectionsPerPrefix: 256,
  reservations: 1024,
  reservationsPerPrefix: 256,
  circuits: 4096,
  circuitsPerPrefix: 1024,
  rooms: 1024,
  roomsPerPeer: 8,
  roomsPerPrefix: 64,
  members: 16_384,
  membersPerRoom: 4096,
  ticketsPerMinute: 10,
  ticketsPerPrefix: 64,
  traded: 16_384,
  relayBytes: 64 * MB,
  relayBytesPerSecond: 2 * MB,
  handshakes: 128,
  arrivalsPerSecond: 100,
};

export function checkHubLimits(given: Partial<HubLimits> = {}): HubLimits {
  const limits = { ...HUB_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) requireWhole(`limits.${name}`, value, 1, 1_000_000_000);
  return limits;
}
