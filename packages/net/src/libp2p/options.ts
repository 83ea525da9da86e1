import { ConfigError, check, type PeerId } from "@coterie/core";
import { isMultiaddr, type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import type { NetworkEvent } from "./events.ts";
import { CONNECTIONS, MESSAGE_BYTES } from "./limits.ts";

/** How a peer on Node reaches others. All of it may be left out. */
export interface Libp2pOptions {
  /** Addresses to begin with, as multiaddrs: `/ip4/192.0.2.7/tcp/4001`, with or without `/p2p/…`. */
  readonly bootstrap?: readonly string[];
  /**
   * Hubs of the room, of which one is enough, as multiaddrs. Peers spread over them, each in an order of its own; when a hub is gone
   * or full, its peers go on to the next. Addresses that end in the same `/p2p/…` are one hub's.
   */
  readonly hubs?: readonly string[];
  /** A secret that members share; without it the room is open to everybody who knows its name. Best drawn at random. */
  readonly roomKey?: string;
  /**
   * Asks for admission tickets in a room without a key: members have to do only with those to whom one of `hubs` gave a ticket, so many
   * names a minute and address prefix. Each of `hubs` must end in `/p2p/` and its name. All members must agree on it.
   */
  readonly tickets?: boolean;
  /** Where to listen; all interfaces and any free TCP port unless told otherwise. `[]` only dials. */
  readonly listen?: readonly string[];
  /** Also be reachable through the hubs among the bootstrap addresses: for tabs, and from behind a router. True unless told. */
  readonly relay?: boolean;
  /** Finds members on the local network. */
  readonly mdns?: boolean;
  /** 32 secret bytes, of which the peer's name is made, in place of those that its store keeps. */
  readonly privateKey?: Uint8Array;
  /** Connections to keep. */
  readonly connections?: number;
  /** The longest message body, in bytes. */
  readonly messageBytes?: number;
  /** Hears of what the network notices: an open room, refusals, violations. */
  readonly onEvent?: (event: NetworkEvent) => void;
}

export interface Libp2pSettings {
  readonly bootstrap: readonly Multiaddr[];
  readonly hubs: readonly Multiaddr[];
  readonly roomKey: string | null;
  /** Hubs whose tickets count; null where nobody needs one. */
  readonly tickets: readonly PeerId[] | null;
  readonly listen: readonly string[];
  readonly relay: boolean;
  readonly mdns: boolean;
  readonly privateKey: Uint8Array | null;
  readonly connections: number;
  readonly messageBytes: number;
  readonly onEvent: (event: NetworkEvent) => void;
}

/** The names of all options. */
export const FIELDS: readonly (keyof Libp2pOptions)[] = [
  "bootstrap",
  "hubs",
  "roomKey",
  "tickets",
  "listen",
  "relay",
  "mdns",
  "privateKey",
  "connections",
  "messageBytes",
  "onEvent",
];

/** A shorter key can be guessed by whoever has seen one proof. */
const SHORTEST_KEY = 16;

export function checkOptions(options: Libp2pOptions): Libp2pSettings {
  const { roomKey = null, privateKey = null, connections = CONNECTIONS, messageBytes = MESSAGE_BYTES } = options;
  requireRoomKey("roomKey", roomKey);
  requirePrivateKey(privateKey);
  requireWhole("connections", connections, 2, 10_000);
  requireWhole("messageBytes", messageBytes, 1024, 64 * 1024 * 1024);
  const bootstrap = parseAddresses("bootstrap", options.bootstrap ?? []);
  const hubs = parseAddresses("hubs", options.hubs ?? []);
  const tickets = check.flag("tickets", options.tickets ?? false) ? issuersOf(hubs, roomKey) : null;
  const listen = parseAddresses("listen", options.listen ?? ["/ip4/0.0.0.0/tcp/0"]).map(String);
  const relay = check.flag("relay", options.relay ?? true);
  const mdns = check.flag("mdns", options.mdns ?? false);
  const { onEvent = () => {} } = options;
  if (typeof onEvent !== "function") throw new ConfigError("onEvent", onEvent, "be a function");
  return { bootstrap, hubs, roomKey, tickets, listen, relay, mdns, privateKey, connections, messageBytes, onEvent };
}

/** Who gives tickets: a signature is checked against a name, so an address alone does not do. */
function issuersOf(hubs: readonly Multiaddr[], roomKey: string | null): PeerId[] {
  if (roomKey !== null) throw new ConfigError("tickets", true, "be left out in a room with a key, which needs none");
  if (hubs.length === 0) throw new ConfigError("tickets", true, "be left out where there are no hubs to give them");
  return [...new Set(hubs.map((hub, k) => nameAt(`hubs[${k}]`, hub)))];
}

/** The name that an address ends in. */
export function nameAt(field: string, address: Multiaddr): PeerId {
  const last = address.getComponents().at(-1);
  if (last?.name === "p2p" && last.value !== undefined) return last.value;
  throw new ConfigError(field, address.toString(), "end in /p2p/ and the hub's name");
}

export function requireRoomKey(field: string, roomKey: string | null): void {
  if (roomKey === null || (typeof roomKey === "string" && roomKey.length >= SHORTEST_KEY)) return;
  // The key itself stays out of the message.
  throw new ConfigError(field, `${roomKey.length} letters`, `be a text of at least ${SHORTEST_KEY} letters`);
}

export function requirePrivateKey(privateKey: Uint8Array | null): void {
  if (privateKey === null || (privateKey instanceof Uint8Array && privateKey.length === 32)) return;
  throw new ConfigError("privateKey", "something else", "be 32 bytes");
}

export function requireWhole(field: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new ConfigError(field, value, `be a whole number from ${least} to ${most}`);
}

function parseAddresses(field: string, given: unknown): Multiaddr[] {
  if (!Array.isArray(given)) throw new ConfigError(field, given, "be a list of multiaddrs");
  return given.map((address, k) => parseAddress(`${field}[${k}]`, address));
}

export function parseAddress(field: string, address: string): Multiaddr {
  try {
    const parsed = multiaddr(address);
    if (isMultiaddr(parsed) && parsed.getComponents().length > 0) return parsed;
  } catch {
    // Said below, in words that name the field.
  }
  throw new ConfigError(field, address, "be a multiaddr such as /ip4/127.0.0.1/tcp/4001");
}
