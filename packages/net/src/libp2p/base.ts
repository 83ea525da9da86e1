import { generateKeyPair, generateKeyPairFromSeed } from "@libp2p/crypto/keys";
import { identify } from "@libp2p/identify";
import type { ComponentLogger, Ed25519PrivateKey, Libp2p, Logger } from "@libp2p/interface";
import type { NoiseInit } from "@libp2p/noise";
import type { Libp2pOptions } from "libp2p";
import type { ArrivalLimit } from "./arrivals.ts";
import type { Cut } from "./cut.ts";
import { wholeNoise } from "./encrypter.ts";
import { DIAL_MS, PARALLEL_DIALS } from "./limits.ts";
import { quietYamux } from "./muxer.ts";
import type { Libp2pSettings } from "./options.ts";
import type { Relay } from "./relay.ts";

export interface Libp2pNode {
  readonly libp2p: Libp2p;
  readonly key: Ed25519PrivateKey;
  readonly relay: Relay;
  readonly cut: Cut;
  /** Null where nobody can connect. */
  readonly arrivals: ArrivalLimit | null;
  /** Whether there is a way to an address from here at all. */
  mayDial(address: string): boolean;
}

/** `tag` tells peers of a room apart from others on a local network. */
export type CreateNode = (settings: Libp2pSettings, tag: string) => Promise<Libp2pNode>;

type BaseOptions = Pick<
  Libp2pOptions,
  | "privateKey"
  | "logger"
  | "nodeInfo"
  | "connectionEncrypters"
  | "streamMuxers"
  | "connectionManager"
  | "connectionMonitor"
> & { readonly services: { readonly identify: ReturnType<typeof identify> } };

/** One logger for all: libp2p makes one for every connection and stream, and they are a tenth of what those weigh. */
const silence: Logger = Object.assign(() => {}, {
  enabled: false,
  error: () => {},
  trace: () => {},
  newScope: () => silence,
});
const SILENT: ComponentLogger = { forComponent: () => silence };

/** `DEBUG=libp2p:*` on Node, `localStorage.debug` in a browser. */
function isDebugged(): boolean {
  const { process, localStorage } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
    localStorage?: { debug?: string };
  };
  return (process?.env?.DEBUG ?? safely(() => localStorage?.debug) ?? "").includes("libp2p");
}

/** Where storage is forbidden, even looking is an error. */
function safely<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** What every libp2p node of Coterie has in common, wherever it runs. `secrecy`: what Noise is to be made of. */
export function baseOptions(key: Ed25519PrivateKey, mostConnections: number, secrecy?: NoiseInit): BaseOptions {
  return {
    privateKey: key,
    ...(isDebugged() ? {} : { logger: SILENT }),
    nodeInfo: { userAgent: "coterie" },
    connectionEncrypters: [wholeNoise(secrecy)],
    streamMuxers: [quietYamux()],
    // Members tell each other all that matters themselves: to ask for more would cost as much again as connecting does.
    services: { identify: identify({ runOnConnectionOpen: false }) },
    connectionManager: {
      maxConnections: mostConnections,
      maxParallelDials: PARALLEL_DIALS,
      dialTimeout: DIAL_MS,
      // The default resets dials between peers of one host.
      inboundConnectionThreshold: 100,
      maxIncomingPendingConnections: 32,
      connectionCloseTimeout: 500,
      reconnectRetries: 0,
    },
    // It opens a stream on every connection, in use or not; ours asks over the muxer (`pulse.ts`), and WebRTC asks by itself.
    connectionMonitor: { enabled: false },
  };
}

/**
 * Ours closes the least used first; this is the wall behind it. It leaves room for many that come at once: a peer whose
 * address everybody was given is called by a whole room in its first second.
 */
export const wall = (connections: number): number => 2 * connections + 64;

export async function keyFrom(seed: Uint8Array | null): Promise<Ed25519PrivateKey> {
  return seed === null ? generateKeyPair("Ed25519") : generateKeyPairFromSeed("Ed25519", seed);
}

/** libp2p needs what came with Node 22 and with the browsers of 2024. */
export function defineWithResolvers(): void {
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
