import type { HubLimits } from "@coterie/net/internal";
import { optionalWhole } from "./flags.ts";

/** `connections` is `--max-connections`. */
export type LimitFlags = { readonly [K in keyof HubLimits as `max${Capitalize<K>}`]?: number };

const MOST = 1_000_000_000;

function limit(name: keyof HubLimits, preset: number, brief: string) {
  const flag = `--max-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return optionalWhole(flag, "N", `${brief} (default: ${preset})`, 1, MOST);
}

/** One for each limit of a hub. `hub.test.ts` holds them against the hub's own and docs/operate.md. */
export const limitFlags = {
  maxConnections: limit("connections", 1024, "connections at once"),
  maxConnectionsPerPrefix: limit("connectionsPerPrefix", 256, "those from one address prefix (/24, /48)"),
  maxReservations: limit("reservations", 1024, "peers that can be reached through it"),
  maxReservationsPerPrefix: limit("reservationsPerPrefix", 256, "those from one address prefix"),
  maxCircuits: limit("circuits", 4096, "connections that go through it"),
  maxCircuitsPerPrefix: limit("circuitsPerPrefix", 1024, "those asked for from one address prefix"),
  maxRooms: limit("rooms", 1024, "rooms at once"),
  maxRoomsPerPeer: limit("roomsPerPeer", 8, "rooms that one peer is in"),
  maxRoomsPerPrefix: limit("roomsPerPrefix", 64, "rooms that peers from one address prefix are in"),
  maxMembers: limit("members", 16_384, "members of all rooms together"),
  maxMembersPerRoom: limit("membersPerRoom", 4096, "members of one room"),
  maxTicketsPerMinute: limit("ticketsPerMinute", 10, "new names from one address prefix that get a ticket in a minute"),
  maxTicketsPerPrefix: limit("ticketsPerPrefix", 64, "names from one address prefix that hold a ticket"),
  maxTraded: limit("traded", 16_384, "guests of other hubs that it knows of"),
  maxRelayBytes: limit("relayBytes", 67_108_864, "bytes that it relays for one peer at once"),
  maxRelayBytesPerSecond: limit("relayBytesPerSecond", 2_097_152, "and per second"),
  maxHandshakes: limit("handshakes", 128, "connections that are being set up at once"),
  maxArrivalsPerSecond: limit("arrivalsPerSecond", 100, "connections that one address begins in a second"),
};

/** The limits among a command's flags. */
export function limitsOf(flags: LimitFlags): Partial<HubLimits> {
  const given = Object.keys(limitFlags).flatMap((name) => {
    const value = flags[name as keyof LimitFlags];
    return value === undefined ? [] : [[name.charAt(3).toLowerCase() + name.slice(4), value] as const];
  });
  return Object.fromEntries(given);
}
