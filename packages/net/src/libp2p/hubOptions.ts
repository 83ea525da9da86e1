import type { NetworkEvent } from "./events.ts";
import { MESSAGE_BYTES } from "./limits.ts";
import { parseAddress, requirePrivateKey, requireRoomKey, requireWhole } from "./options.ts";
import type { RosterLimits } from "./roster.ts";

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
  readonly limits?: Partial<HubLimits>;
  /** Hears of refusals and violations. */
  readonly onEvent?: (event: NetworkEvent) => void;
}

/** How much a hub takes on. */
export interface HubLimits extends RosterLimits {
  readonly connections: number;
  /** Peers that can be reached through it. */
  readonly reservations: number;
}

export interface HubSettings {
  readonly listen: readonly string[];
  readonly announce: readonly string[];
  readonly privateKey: Uint8Array | null;
  readonly rooms: readonly { readonly name: string; readonly roomKey: string | null }[] | null;
  readonly limits: HubLimits;
  readonly messageBytes: number;
  readonly onEvent: (event: NetworkEvent) => void;
}

const LIMITS: HubLimits = { rooms: 1024, membersPerRoom: 4096, members: 16_384, connections: 1024, reservations: 1024 };

/** A hub is sent no statistics: messages have a header and an empty body. */
const BODY_BYTES = MESSAGE_BYTES / 4096;

export function checkHubOptions(options: HubOptions): HubSettings {
  const { privateKey = null, rooms = null, onEvent = () => {} } = options;
  requirePrivateKey(privateKey);
  const listen = options.listen ?? ["/ip4/0.0.0.0/tcp/0", "/ip4/0.0.0.0/tcp/0/ws"];
  const announce = options.announce ?? [];
  for (const [k, address] of listen.entries()) parseAddress(`listen[${k}]`, address);
  for (const [k, address] of announce.entries()) parseAddress(`announce[${k}]`, address);
  const limits = { ...LIMITS, ...options.limits };
  for (const [name, value] of Object.entries(limits)) requireWhole(`limits.${name}`, value, 1, 1_000_000);
  const checked = rooms?.map(({ name, roomKey = null }, k) => {
    requireRoomKey(`rooms[${k}].roomKey`, roomKey);
    return { name, roomKey };
  });
  return { listen, announce, privateKey, rooms: checked ?? null, limits, messageBytes: BODY_BYTES, onEvent };
}
