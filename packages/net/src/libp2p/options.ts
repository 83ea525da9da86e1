import { ConfigError, check } from "@coterie/core";
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

export interface Settings {
  readonly bootstrap: readonly Multiaddr[];
  readonly hubs: readonly Multiaddr[];
  readonly roomKey: string | null;
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

export function checkOptions(options: Libp2pOptions): Settings {
  const { roomKey = null, privateKey = null, connections = CONNECTIONS, messageBytes = MESSAGE_BYTES } = options;
  requireRoomKey("roomKey", roomKey);
  requirePrivateKey(privateKey);
  requireWhole("connections", connections, 2, 10_000);
  requireWhole("messageBytes", messageBytes, 1024, 64 * 1024 * 1024);
  const bootstrap = parseAddresses("bootstrap", options.bootstrap ?? []);
  const hubs = parseAddresses("hubs", options.hubs ?? []);
  const listen = parseAddresses("listen", options.listen ?? ["/ip4/0.0.0.0/tcp/0"]).map(String);
  const relay = check.flag("relay", options.relay ?? true);
  const mdns = check.flag("mdns", options.mdns ?? false);
  const { onEvent = () => {} } = options;
  if (typeof onEvent !== "function") throw new ConfigError("onEvent", onEvent, "be a function");
  return { bootstrap, hubs, roomKey, listen, relay, mdns, privateKey, connections, messageBytes, onEvent };
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
