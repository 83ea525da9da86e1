import { ConfigError } from "@coterie/core";
import {
  createPeer,
  folderStore,
  type Libp2pNetwork,
  libp2p,
  logFile,
  type NetworkFactory,
  StoreError,
} from "@coterie/net";
import type { LogFile } from "@coterie/net/internal";
import { Vitals } from "../http/health.ts";
import { type Listening, listen } from "../http/listen.ts";
import { requireToken } from "../http/token.ts";
import { logNetwork, logPeer } from "../log/events.ts";
import { type Log, processLog } from "../log/log.ts";
import { PeerMetrics } from "../metrics/peerMetrics.ts";
import { explainListen, GRACE_MS, type Running } from "../process.ts";
import { createPeerApp, type FilePeer } from "./app.ts";
import type { PeerProcessOptions } from "./options.ts";

/** What the HTTP API looks at; there before the peer is, so that a probe learns that it is being opened. */
interface Place {
  peer: FilePeer | null;
  network: Libp2pNetwork | null;
}

/** Starts a headless peer: its HTTP API first, then the peer itself. */
export async function startPeerProcess(options: PeerProcessOptions): Promise<Running> {
  requireToken("--http", options.http, options.token);
  const log = processLog(options.logLevel);
  const place: Place = { peer: null, network: null };
  const vitals = new Vitals();
  const metrics = new PeerMetrics({
    state: () => place.peer?.state() ?? null,
    network: () => place.network,
    dimension: options.features.dimension,
  });
  const addresses = (): string[] => place.network?.addresses() ?? [];
  const app = createPeerApp({
    peer: () => place.peer,
    addresses,
    vitals,
    metrics,
    log,
    token: options.token,
    tokens: options.reward?.secret !== undefined,
  });
  const decisions = openDecisionLog(options);
  const http = await listen("--http", options.http, (request) => app.fetch(request));
  try {
    place.peer = await openPeer(options, place, vitals, metrics, log);
  } catch (error) {
    await http.close(0);
    throw explain(options, error);
  }
  if (decisions !== null) place.peer.log(decisions, { name: nameOf });
  vitals.begun();
  return running(options, place.peer, addresses(), http, decisions, vitals, log);
}

function openDecisionLog({ decisionLog }: PeerProcessOptions): LogFile | null {
  if (decisionLog === undefined) return null;
  try {
    return logFile(decisionLog);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError("--decision-log", error.value, error.bound);
    throw error;
  }
}

/** An item's `id`, if it has one, is its name in the log. */
function nameOf(item: unknown): string | undefined {
  const { id } = (item ?? {}) as { id?: unknown };
  return typeof id === "number" || (typeof id === "string" && id !== "") ? `${id}` : undefined;
}

function openPeer(
  { room, store, features, onBadItem, policy, network, reward, explore, shadow, tickMs, signal }: PeerProcessOptions,
  place: Place,
  vitals: Vitals,
  metrics: PeerMetrics,
  log: Log,
): Promise<FilePeer> {
  const join = libp2p({ ...network, onEvent: (event) => logNetwork(log, event) });
  const joined: NetworkFactory = async (terms) => {
    place.network = await join(terms);
    return place.network;
  };
  return createPeer({
    room,
    features,
    store: folderStore(store),
    network: Object.assign(joined, { open: join.open ?? false }),
    ...(onBadItem !== undefined && { onBadItem }),
    ...(policy !== undefined && { policy }),
    ...(reward !== undefined && { reward }),
    ...(explore !== undefined && { explore }),
    ...(shadow !== undefined && { shadow }),
    ...(tickMs !== undefined && { tick: { periodMs: tickMs } }),
    onEvent: (event) => {
      metrics.heard(event);
      if (event.kind === "failure") vitals.failed(event.error);
      logPeer(log, event);
    },
    signal,
  });
}

function running(
  { room, store }: PeerProcessOptions,
  peer: FilePeer,
  addresses: readonly string[],
  http: Listening,
  decisions: LogFile | null,
  vitals: Vitals,
  log: Log,
): Running {
  const { self, policy, own } = peer.state();
  log.info("ready", { self, room, policy, http: http.url, addresses, own });
  return {
    ready: { ready: true, self, room, policy, http: http.url, addresses, store },
    sentence: `peer ${self} in room ${room}: API at ${http.url}, peers at ${addresses.join(", ") || "no address"}`,
    async close() {
      vitals.ending();
      await http.close(GRACE_MS);
      await peer.close();
      await decisions?.close();
      log.info("stopped");
    },
  };
}

/** What went wrong while the peer was opened, as far as it is the operator's to put right. */
function explain({ store, network }: PeerProcessOptions, error: unknown): unknown {
  if (error instanceof StoreError) {
    if (error.reason === "busy") return new ConfigError("--store", store, "be a store that no other process has open");
    if (error.reason === "foreign") return new ConfigError("--store", store, `be a peer's store (${error.message})`);
    if (error.reason === "version") {
      return new ConfigError("--store", store, `be of a version that this program reads (${error.message})`);
    }
    if (error.reason === "read-only") return new ConfigError("--store", store, `be writable (${error.message})`);
    if (/ENOTDIR|ENOENT|ELOOP|ENAMETOOLONG/.test(error.message)) {
      return new ConfigError("--store", store, `be a directory that can be created (${error.message})`);
    }
  }
  return explainListen(network.listen, error);
}
