import { alone, createPeer, memoryStore, type PeerOptions } from "@coterie/net";
import { Vitals } from "../http/health.ts";
import { type Listening, listen } from "../http/listen.ts";
import { createLog, type Log } from "../log/log.ts";
import { PeerMetrics } from "../metrics/peerMetrics.ts";
import { createPeerApp, type FilePeer } from "../peer/app.ts";
import { type FileFeatures, vectorFeatures } from "../peer/features.ts";

export const silent: Log = createLog({ level: "error", readable: false, write: () => {} });

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly peer: FilePeer;
  readonly vitals: Vitals;
  /** Asks; a body is sent as JSON. */
  ask(path: string, body?: unknown, init?: RequestInit): Promise<{ status: number; body: unknown; headers: Headers }>;
  close(): Promise<void>;
}

type Options = Partial<PeerOptions<FileFeatures>> & { readonly token?: string | null };

/** A real peer of three coordinates behind its HTTP API. */
export async function serveAlone({ token = null, ...options }: Options = {}): Promise<Served> {
  const features = options.features ?? vectorFeatures(3);
  const vitals = new Vitals();
  let peer: FilePeer | null = null;
  const metrics = new PeerMetrics({
    state: () => peer?.state() ?? null,
    network: () => null,
    dimension: features.dimension,
  });
  const tokens = options.reward?.secret !== undefined;
  const app = createPeerApp({ peer: () => peer, addresses: () => [], vitals, metrics, log: silent, token, tokens });
  const http = await listen("--http", { host: "127.0.0.1", port: 0 }, (request) => app.fetch(request));
  peer = await createPeer<FileFeatures>({
    room: "test",
    network: alone(),
    store: memoryStore(),
    tick: false,
    onEvent: (event) => metrics.heard(event),
    ...options,
    features,
  });
  vitals.begun();
  return served(http, peer, vitals);
}

function served(http: Listening, peer: FilePeer, vitals: Vitals): Served {
  const close = async (): Promise<void> => {
    await http.close(0);
    await peer.close();
  };
  return {
    url: http.url,
    port: http.port,
    peer,
    vitals,
    close,
    async ask(path, body, init = {}) {
      const method = body === undefined ? "GET" : "POST";
      const headers = { ...(body !== undefined && { "content-type": "application/json" }), ...init.headers };
      const sent = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
      const answer = await fetch(`${http.url}${path}`, { method, body: sent, ...init, headers });
      const text = await answer.text();
      const json = /json/.test(answer.headers.get("content-type") ?? "");
      return { status: answer.status, body: json ? JSON.parse(text) : text, headers: answer.headers };
    },
    [Symbol.asyncDispose]: close,
  };
}
