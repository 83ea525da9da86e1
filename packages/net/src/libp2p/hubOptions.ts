import type { PeerId } from "@coterie/core";
import type { Multiaddr } from "@multiformats/multiaddr";
import type { NetworkEvent } from "./events.ts";
import { checkHubLimits, type HubLimits } from "./hubLimits.ts";
import { MESSAGE_BYTES } from "./limits.ts";
import { nameAt, parseAddress, requirePrivateKey, requireRoomKey } from "./options.ts";

/** What a hub is started with. All of it may be left out. */
export interface HubOptions {
  /** Where to listen; all interfaces and any free port, TCP and WebSockets, unless told otherwise. */
  readonly listen?: readonly string[];
  /** Further addresses under which it can be reached, as behind a proxy: `/dns4/hub.example/tcp/443/wss`. */
  readonly announce?: readonly string[];
  /** 32 secret bytes, of which the hub's name is made; drawn anew at every start unless given. */
  readonly privateKey?: Uint8Array;
  /** The rooms it is for. With a room's key it turns strangers away at once. Any room unless told otherwise. */
  readonly rooms?: readonly { readonly name: string; readonly roomKey?: string }[];
  /** The other hubs of the same rooms, as multiaddrs that end in their names. Each must name the others; its own name is passed over. */
  readonly hubs?: readonly string[];
  /**
   * Its WebSockets are reached through a proxy alone: the address that counts for limits is the last of `X-Forwarded-For`. Anybody can
   * send that header, so only where nobody reaches them otherwise.
   */
  readonly trustProxy?: boolean;
  readonly limits?: Partial<HubLimits>;
  /** Hears of refusals and violations. */
  readonly onEvent?: (event: NetworkEvent) => void;
}

export interface HubSettings {
  readonly listen: readonly string[];
  readonly announce: readonly string[];
  readonly privateKey: Uint8Array | null;
  readonly rooms: readonly { readonly name: string; readonly roomKey: string | null }[] | null;
  readonly hubs: ReadonlyMap<PeerId, Multiaddr[]>;
  readonly trustProxy: boolean;
  readonly limits: HubLimits;
  readonly messageBytes: number;
  readonly onEvent: (event: NetworkEvent) => void;
}

/** A hub is sent no statistics: messages have a header and an empty body. */
const BODY_BYTES = MESSAGE_BYTES / 4096;

export function checkHubOptions(options: HubOptions): HubSettings {
  const { privateKey = null, rooms = null, trustProxy = false, onEvent = () => {} } = options;
  requirePrivateKey(privateKey);
  const listen = options.listen ?? ["/ip4/0.0.0.0/tcp/0", "/ip4/0.0.0.0/tcp/0/ws"];
  const announce = options.announce ?? [];
  for (const [k, address] of listen.entries()) parseAddress(`listen[${k}]`, address);
  for (const [k, address] of announce.entries()) parseAddress(`announce[${k}]`, address);
  const hubs = hubsByName(options.hubs ?? []);
  const limits = checkHubLimits(options.limits);
  const checked = rooms?.map(({ name, roomKey = null }, k) => {
    requireRoomKey(`rooms[${k}].roomKey`, roomKey);
    return { name, roomKey };
  });
  return {
    listen,
    announce,
    privateKey,
    rooms: checked ?? null,
    hubs,
    trustProxy,
    limits,
    messageBytes: BODY_BYTES,
    onEvent,
  };
}

/** A hub is believed because of its name, so an address alone does not do. */
function hubsByName(addresses: readonly string[]): Map<PeerId, Multiaddr[]> {
  const hubs = new Map<PeerId, Multiaddr[]>();
  for (const [k, address] of addresses.entries()) {
    const parsed = parseAddress(`hubs[${k}]`, address);
    const name = nameAt(`hubs[${k}]`, parsed);
    hubs.set(name, [...(hubs.get(name) ?? []), parsed]);
  }
  return hubs;
}
