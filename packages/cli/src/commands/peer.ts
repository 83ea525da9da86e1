import { ConfigError } from "@coterie/core";
import type { FileFeatures, PeerProcessOptions } from "@coterie/server";
import { buildCommand } from "@stricli/core";
import { readJson } from "../files.ts";
import { optionalReal, optionalText, optionalWhole, real, several, text, yes } from "../flags.ts";
import { guarded } from "../guard.ts";
import { readSecret } from "../secrets.ts";
import { serve } from "../service.ts";

interface PeerFlags {
  readonly room: string;
  readonly store: string;
  readonly http: string;
  readonly tokenFile?: string;
  readonly features?: string;
  readonly dimension?: number;
  readonly skipBadItems: boolean;
  readonly policy?: string;
  readonly bootstrap?: readonly string[];
  readonly hub?: readonly string[];
  readonly tickets: boolean;
  readonly listen?: readonly string[];
  readonly mdns: boolean;
  readonly roomKeyFile?: string;
  readonly rewardRange?: string;
  readonly rewardTimeoutMs?: number;
  readonly rewardFallback?: number;
  readonly rewardSecretFile?: string;
  readonly rewardDeliveryMs?: number;
  readonly exploreFloor?: number;
  readonly shadow: boolean;
  readonly tickMs?: number;
  readonly decisionLog?: string;
  readonly logLevel: string;
  readonly json: boolean;
}

export const peerCommand = buildCommand<PeerFlags>({
  docs: {
    brief: "Run one peer with a local HTTP API",
    fullDescription:
      "Runs a headless peer until SIGTERM (exit code 0) or SIGINT (130). It joins a room, keeps what it knows in a store, and answers choose, slate, reward, observe, watch, score, pending, weights, state, health, metrics and openapi.json over HTTP; docs/operate.md has the rest. Says where it is on standard output once it is ready; logs go to standard error. The room key comes from --room-key-file or COTERIE_ROOM_KEY, the API's token from --token-file or COTERIE_TOKEN, the secret of all workers from --reward-secret-file or COTERIE_REWARD_SECRET.",
  },
  parameters: {
    flags: {
      room: text("NAME", "the room: who has the same one, and the same features and policy, learns together"),
      store: text("DIR", "directory of its store; made if it is not there"),
      http: { ...text("HOST:PORT", "where the API listens"), default: "127.0.0.1:0" },
      tokenFile: optionalText("FILE", "a file with the token that callers of the API must bear"),
      features: optionalText("FILE.json", "features of the items, by name; or item, context and cross"),
      dimension: optionalWhole("--dimension", "D", "items are vectors of D numbers", 1, 4096),
      skipBadItems: yes("leave out items that cannot be encoded, in place of refusing the request"),
      policy: optionalText("NAME|JSON", 'a policy\'s name, or {"kind": …} (default: kindred)'),
      bootstrap: several("ADDR", "a hub's or a peer's address, such as /ip4/192.0.2.7/tcp/4001"),
      hub: several("ADDR", "one of several hubs of the room, of which one is enough"),
      tickets: yes("admit only peers with a ticket of one of the hubs, which must be given with /p2p/ and their names"),
      listen: several("ADDR", "where other peers reach it (default: all interfaces, any port); none: it only dials"),
      mdns: yes("find members on the local network"),
      roomKeyFile: optionalText("FILE", "a file with the secret that members share"),
      rewardRange: optionalText("LOW,HIGH", "the least and the most a choice can pay (default: 0,1)"),
      rewardTimeoutMs: optionalReal("--reward-timeout-ms", "MS", "how long a choice waits for its reward"),
      rewardFallback: optionalReal("--reward-fallback", "R", "what is learnt for a choice that got none"),
      rewardSecretFile: optionalText("FILE", "a file with the secret that all workers of the app share"),
      rewardDeliveryMs: optionalReal(
        "--reward-delivery-ms",
        "MS",
        "how long a reward taken elsewhere may be on its way",
      ),
      exploreFloor: optionalReal("--explore-floor", "P", "chance with which a choice is drawn uniformly"),
      shadow: yes("decide nothing; learn from /watch and /observe"),
      tickMs: optionalWhole("--tick-ms", "N", "how long a round lasts (default: 10000)", 1, 1_000_000_000),
      decisionLog: optionalText("FILE", "append every choice and its reward, for coterie evaluate"),
      logLevel: { ...text("LEVEL", "error, warn, info or debug"), default: "info" },
      json: yes("print the ready line as JSON"),
    },
  },
  func(flags) {
    return guarded(async () => {
      // libp2p is much to load, and no other command needs it.
      const server = await import("@coterie/server");
      await serve((signal) => server.startPeerProcess({ ...optionsOf(flags, server), signal }), flags.json);
    });
  },
});

type Server = typeof import("@coterie/server");

function optionsOf(flags: PeerFlags, server: Server): PeerProcessOptions {
  const { bootstrap, hub: hubs, tickets, listen, mdns } = flags;
  const roomKey = readSecret("--room-key-file", flags.roomKeyFile, "COTERIE_ROOM_KEY");
  return {
    room: flags.room,
    store: flags.store,
    http: server.parseHttpAddress("--http", flags.http),
    token: readSecret("--token-file", flags.tokenFile, "COTERIE_TOKEN") ?? null,
    features: featuresOf(flags, server),
    onBadItem: flags.skipBadItems ? "skip" : "error",
    ...(flags.policy !== undefined && { policy: server.readPolicy("--policy", flags.policy) }),
    network: {
      ...{ mdns, tickets },
      ...(bootstrap !== undefined && { bootstrap }),
      ...(hubs !== undefined && { hubs }),
      ...(listen !== undefined && { listen: listen.length === 1 && listen[0] === "none" ? [] : listen }),
      ...(roomKey !== undefined && { roomKey }),
    },
    reward: rewardOf(flags),
    ...(flags.exploreFloor !== undefined && { explore: { floor: flags.exploreFloor } }),
    shadow: flags.shadow,
    ...(flags.tickMs !== undefined && { tickMs: flags.tickMs }),
    ...(flags.decisionLog !== undefined && { decisionLog: flags.decisionLog }),
    logLevel: server.parseLevel("--log-level", flags.logLevel),
  };
}

function featuresOf({ features, dimension }: PeerFlags, server: Server): FileFeatures {
  if (features !== undefined && dimension !== undefined) {
    throw new ConfigError("--dimension", dimension, "not be combined with --features");
  }
  if (dimension !== undefined) return server.vectorFeatures(dimension);
  if (features === undefined) throw new ConfigError("--features", features, "be a file, unless --dimension is given");
  return readJson(features, server.parseFeatures);
}

function rewardOf(flags: PeerFlags): NonNullable<PeerProcessOptions["reward"]> {
  const { rewardRange, rewardTimeoutMs: timeoutMs, rewardFallback: fallback, rewardDeliveryMs: deliveryMs } = flags;
  const secret = readSecret("--reward-secret-file", flags.rewardSecretFile, "COTERIE_REWARD_SECRET");
  return {
    ...(secret !== undefined && { secret }),
    ...(deliveryMs !== undefined && { deliveryMs }),
    ...(rewardRange !== undefined && { range: parseRange(rewardRange) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(fallback !== undefined && { fallback }),
  };
}

function parseRange(given: string): [number, number] {
  const ends = given.split(",");
  if (ends.length !== 2) throw new ConfigError("--reward-range", given, "be LOW,HIGH such as 0,1");
  return [real("--reward-range", ends[0] ?? ""), real("--reward-range", ends[1] ?? "")];
}
