import { ConfigError } from "@coterie/core";
import type { HubProcessOptions } from "@coterie/server";
import { buildCommand } from "@stricli/core";
import { optionalText, several, text, yes } from "../flags.ts";
import { guarded } from "../guard.ts";
import { type LimitFlags, limitFlags, limitsOf } from "../hubLimits.ts";
import { readSecret } from "../secrets.ts";
import { serve } from "../service.ts";

interface HubFlags extends LimitFlags {
  readonly listen?: readonly string[];
  readonly announce?: readonly string[];
  readonly hub?: readonly string[];
  readonly trustProxy: boolean;
  readonly http: string;
  readonly tokenFile?: string;
  readonly keyFile: string;
  readonly room?: readonly string[];
  readonly roomKeyFile?: string;
  readonly logLevel: string;
  readonly json: boolean;
}

/** Ports of its own, so that its addresses are the same after a restart. */
export const HUB_LISTEN = ["/ip4/0.0.0.0/tcp/4001", "/ip4/0.0.0.0/tcp/4002/ws"];

export const hubCommand = buildCommand<HubFlags>({
  docs: {
    brief: "Run a meeting point: peers find each other there, and are relayed where they cannot dial",
    fullDescription:
      "Runs a hub until SIGTERM (exit code 0) or SIGINT (130). It is no member of any room, learns nothing and needs no room key; with one it turns strangers away at once. Its addresses are what peers take as --bootstrap; they are printed once it is ready, and the same after a restart, because its key is kept in a file. Over HTTP it serves a page that shows who is there and what it relays, /join, by which a tab becomes a peer, and rooms, members, health, metrics and openapi.json; docs/operate.md has the rest.",
  },
  parameters: {
    flags: {
      listen: several("ADDR", `where peers find it (default: ${HUB_LISTEN.join(" and ")})`),
      announce: several("ADDR", "a further address under which it can be reached, as behind a proxy"),
      hub: several("ADDR", "another hub of the same rooms, with /p2p/ and its name at the end; its own is passed over"),
      trustProxy: yes("WebSockets come through a proxy: limits go by the last address of X-Forwarded-For"),
      http: { ...text("HOST:PORT", "where its HTTP side listens"), default: "127.0.0.1:0" },
      tokenFile: optionalText("FILE", "a file with the token that callers over HTTP must bear (or COTERIE_TOKEN)"),
      keyFile: { ...text("FILE", "its key; made if it is not there"), default: "coterie-hub.key" },
      room: several("NAME", "a room it is for (default: any)"),
      roomKeyFile: optionalText("FILE", "a file with the key of the one --room (or COTERIE_ROOM_KEY)"),
      ...limitFlags,
      logLevel: { ...text("LEVEL", "error, warn, info or debug"), default: "info" },
      json: yes("print the ready line as JSON"),
    },
  },
  func(flags) {
    return guarded(async () => {
      const server = await import("@coterie/server");
      await serve((signal) => server.startHubProcess({ ...optionsOf(flags, server), signal }), flags.json);
    });
  },
});

function optionsOf(flags: HubFlags, server: typeof import("@coterie/server")): HubProcessOptions {
  const { listen = HUB_LISTEN, announce, hub: hubs } = flags;
  const rooms = roomsOf(flags);
  return {
    http: server.parseHttpAddress("--http", flags.http),
    token: readSecret("--token-file", flags.tokenFile, "COTERIE_TOKEN") ?? null,
    keyFile: flags.keyFile,
    network: {
      ...{ listen, trustProxy: flags.trustProxy, limits: limitsOf(flags) },
      ...(announce !== undefined && { announce }),
      ...(hubs !== undefined && { hubs }),
      ...(rooms !== null && { rooms }),
    },
    logLevel: server.parseLevel("--log-level", flags.logLevel),
  };
}

function roomsOf({ room: names, roomKeyFile }: HubFlags): { name: string; roomKey?: string }[] | null {
  const roomKey = readSecret("--room-key-file", roomKeyFile, "COTERIE_ROOM_KEY");
  if (roomKey === undefined) return names?.map((name) => ({ name })) ?? null;
  const [name] = names ?? [];
  if (name === undefined || names?.length !== 1) {
    throw new ConfigError("--room", names?.join(", "), "be given once if there is a room key");
  }
  return [{ name, roomKey }];
}
