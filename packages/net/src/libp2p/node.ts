import { ConfigError } from "@coterie/core";
import { generateKeyPair, generateKeyPairFromSeed } from "@libp2p/crypto/keys";
import { identify } from "@libp2p/identify";
import type { Ed25519PrivateKey, Libp2p } from "@libp2p/interface";
import { mdns } from "@libp2p/mdns";
import { noise } from "@libp2p/noise";
import { ping } from "@libp2p/ping";
import { tcp } from "@libp2p/tcp";
import { webSockets } from "@libp2p/websockets";
import { yamux } from "@libp2p/yamux";
import { createLibp2p } from "libp2p";
import { DIAL_MS, PARALLEL_DIALS } from "./limits.ts";
import type { Settings } from "./options.ts";

export interface Node {
  readonly libp2p: Libp2p;
  readonly key: Ed25519PrivateKey;
}

/** A libp2p node as Coterie needs it. `tag` tells its peers apart from others on a local network. */
export async function createNode(settings: Settings, tag: string): Promise<Node> {
  defineWithResolvers();
  const addresses = [...settings.listen, ...settings.bootstrap.map(String)];
  const withWebSockets = addresses.some((address) => /\/wss?(\/|$)/.test(address));
  requireWebSocket(settings);
  const key = await keyFrom(settings.privateKey);
  const libp2p = await createLibp2p({
    privateKey: key,
    nodeInfo: { userAgent: "coterie" },
    addresses: { listen: [...settings.listen] },
    transports: withWebSockets ? [tcp(), webSockets()] : [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    services: { identify: identify(), ping: ping() },
    peerDiscovery: settings.mdns ? [mdns({ serviceTag: `_coterie-${tag}._udp.local`, interval: 10_000 })] : [],
    connectionManager: {
      // Ours closes the least used first; this is the wall behind it.
      maxConnections: 2 * settings.connections + 8,
      maxParallelDials: PARALLEL_DIALS,
      dialTimeout: DIAL_MS,
      // The default resets dials between peers of one host.
      inboundConnectionThreshold: 100,
      maxIncomingPendingConnections: 32,
      connectionCloseTimeout: 500,
      reconnectRetries: 0,
    },
    // One late ping must not end a connection: who is alive is the membership's question.
    connectionMonitor: { pingInterval: 30_000, pingTimeout: { minTimeout: 15_000 } },
    // Rooms are found on a LAN and on one machine too.
    connectionGater: { denyDialMultiaddr: () => false },
  });
  return { libp2p, key };
}

async function keyFrom(seed: Uint8Array | null): Promise<Ed25519PrivateKey> {
  return seed === null ? generateKeyPair("Ed25519") : generateKeyPairFromSeed("Ed25519", seed);
}

/** Node 20 dials no WebSocket by itself. */
function requireWebSocket({ bootstrap }: Settings): void {
  const index = bootstrap.findIndex((address) => /\/wss?(\/|$)/.test(address.toString()));
  if (index < 0 || "WebSocket" in globalThis) return;
  const bound = "use TCP where there is no globalThis.WebSocket (Node 22 and browsers have one)";
  throw new ConfigError(`bootstrap[${index}]`, bootstrap[index]!.toString(), bound);
}

/** libp2p needs what came with Node 22. */
function defineWithResolvers(): void {
  if ("withResolvers" in Promise) return;
  Object.defineProperty(Promise, "withResolvers", {
    configurable: true,
    writable: true,
    value: function withResolvers<T>(this: PromiseConstructor) {
      let resolve: ((value: T | PromiseLike<T>) => void) | undefined;
      let reject: ((reason?: unknown) => void) | undefined;
      const promise = new this<T>((yes, no) => {
        resolve = yes;
        reject = no;
      });
      return { promise, resolve, reject };
    },
  });
}
