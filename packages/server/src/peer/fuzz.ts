import { ConfigError } from "@coterie/core";
import { alone, createPeer, memoryStore } from "@coterie/net";
import { Vitals } from "../http/health.ts";
import { createLog } from "../log/log.ts";
import { PeerMetrics } from "../metrics/peerMetrics.ts";
import { createPeerApp, type FilePeer } from "./app.ts";
import { type FileFeatures, parseFeatures } from "./features.ts";

const FEATURES = { topic: { kind: "oneHot", values: ["a", "b"] }, size: { kind: "number", min: 0, max: 9 } };
const ITEMS = [
  { topic: "a", size: 3 },
  { topic: "b", size: 7 },
];

/** Paths that take a body, and bodies they take. */
const BODIES: readonly (readonly [path: string, body: unknown])[] = [
  ["/choose", { items: ITEMS, k: 2, explain: true }],
  ["/slate", { items: ITEMS, k: 2, exclude: [0] }],
  ["/slate/shown", { slate: "0123456789abcdef", places: 1 }],
  ["/slate/cancel", { slate: "0123456789abcdef" }],
  ["/score", { items: ITEMS, explain: true }],
  ["/reward", { id: "0123456789abcdef", reward: 0.5 }],
  ["/observe", { items: ITEMS, index: 1, reward: 0 }],
  ["/watch", { items: ITEMS, index: 1 }],
];

/** For a fuzzer: a peer's HTTP API. The first byte of an input names the path, the rest is the body. */
export interface HttpTarget {
  readonly name: string;
  readonly samples: readonly Uint8Array[];
  read(bytes: Uint8Array): Promise<void>;
}

/** A real peer behind its API, without a socket. Whatever comes, the answer is one, or says what was wrong with the body. */
export async function httpTarget(): Promise<HttpTarget> {
  const features = parseFeatures(FEATURES);
  const peer: FilePeer = await createPeer<FileFeatures>({
    room: "fuzz",
    features,
    network: alone(),
    store: memoryStore(),
    tick: false,
  });
  const metrics = new PeerMetrics({ state: () => peer.state(), network: () => null, dimension: features.dimension });
  const log = createLog({ level: "error", readable: false, write: () => {} });
  const vitals = new Vitals();
  vitals.begun();
  const app = createPeerApp({ peer: () => peer, addresses: () => [], vitals, metrics, log, token: null, tokens: true });
  const encoder = new TextEncoder();
  return {
    name: "http body",
    samples: BODIES.map(([, body], k) => Uint8Array.of(k, ...encoder.encode(JSON.stringify(body)))),
    async read(bytes) {
      const [path] = BODIES[(bytes[0] ?? 0) % BODIES.length]!;
      const headers = { "content-type": "application/json", host: "localhost" };
      const answer = await app.request(`http://localhost${path}`, { method: "POST", headers, body: bytes.slice(1) });
      if (answer.status === 200) return;
      const { error } = (await answer.json()) as { error: string };
      if (answer.status !== 400) throw new Error(`${answer.status}: ${error}`);
      throw new ConfigError("body", error, "be taken");
    },
  };
}
