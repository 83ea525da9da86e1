import { randomBytes } from "node:crypto";
import { ConfigError, check, isCentral, parsePolicy } from "@coterie/core";
import { type Beat, eachRow, FEED_VERSION, NetworkModel } from "@coterie/studio";
import { contentPolicy, mountPages, socketsOf } from "../feed/pages.ts";
import { Recording } from "../feed/recording.ts";
import { feedStream } from "../feed/stream.ts";
import { createApp } from "../http/app.ts";
import { listen } from "../http/listen.ts";
import { createLog } from "../log/log.ts";
import { mountControl } from "./control.ts";
import { DemoNetwork } from "./network.ts";
import { type DemoSummary, DemoTally, summarise } from "./summary.ts";

export interface DemoOptions {
  readonly peers?: number;
  /** Each user makes so many choices, then the demo is over; goes on for ever unless given. */
  readonly rounds?: number;
  /** Of the page; any free one unless given. */
  readonly port?: number;
  /** A kind of policy; the SDK's own unless given. */
  readonly policy?: string;
  /** A file for the recording. */
  readonly record?: string;
  readonly onProgress?: (up: number, all: number) => void;
}

/** A demo that runs. */
export interface Demo {
  /** Of the page, with the token that its controls need. */
  readonly url: string;
  /** Of the page without it: for those who may only look. */
  readonly plainUrl: string;
  readonly token: string;
  /** When all peers are up. */
  readonly up: Promise<void>;
  /** When all rounds are made; never, where there is no such number. */
  readonly done: Promise<void>;
  summary(): DemoSummary;
  /** Ends all of it within two seconds. */
  stop(): Promise<void>;
}

/** One round. Short, so that something is to be seen; an app's would last seconds or hours. */
const PERIOD_MS = 500;
/** And where only the end is waited for. */
const QUICK_MS = 200;

export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { peers, rounds, policy, port } = checked(options);
  const token = randomBytes(16).toString("hex");
  const startedMs = Date.now();
  const periodMs = rounds === null ? PERIOD_MS : QUICK_MS;
  const header = {
    coterie: "feed",
    version: FEED_VERSION,
    policy,
    periodMs,
    startedMs,
    source: "live",
  } as const;
  const recording = new Recording(header, options.record);
  const model = new NetworkModel();
  const tally = new DemoTally();
  const finished = deferred();
  const onBeat = (beat: Beat): void => {
    model.apply(beat);
    eachRow(beat, "met", (rows, at) => tally.count(rows[at + 2], rows[at + 3] + rows[at + 4]));
    tally.troubles += beat.troubles?.length ?? 0;
    recording.push(beat);
    if (rounds !== null && isDone(model, rounds, peers)) finished.resolve();
  };
  const onProgress = (up: number): void => options.onProgress?.(up, peers);
  const network = new DemoNetwork({ peers, policy, periodMs, rounds, onBeat, onProgress });
  const app = createApp({ log: quiet(), token: null });
  mountPages(app, () => contentPolicy(socketsOf(network.hubAddresses)));
  mountControl(app, () => network, token);
  app.get("/feed", () => {
    const headers = { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" };
    return new Response(feedStream(recording), { headers });
  });
  app.get("/room", (c) => {
    const bootstrap = network.hubAddresses.filter((address) => address.includes("/ws"));
    return c.json({ bootstrap, policy, names: Object.fromEntries(model.peers.map(({ id, name }) => [id, name])) });
  });
  const server = await listen("--port", { host: "127.0.0.1", port }, (request) => app.fetch(request));
  const up = network.start();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await network.stop();
    await Promise.all([recording.end(), server.close(0)]);
  };
  return {
    url: `${server.url}/#token=${token}`,
    plainUrl: `${server.url}/`,
    token,
    up,
    done: Promise.all([up, finished.promise]).then(() => {}),
    summary: () => summarise(model, tally, policy, network.clusters),
    stop: () => (stopped ??= stop()),
  };
}

function checked(options: DemoOptions): { peers: number; rounds: number | null; policy: string; port: number } {
  const peers = check.whole("--peers", options.peers ?? 24, 2, 500);
  const rounds = options.rounds === undefined ? null : check.whole("--rounds", options.rounds, 1, 1_000_000);
  const port = check.whole("--port", options.port ?? 0, 0, 65_535);
  const kind = options.policy ?? "kindred";
  const policy = parsePolicy("--policy", { kind });
  if (isCentral(policy) || policy.codec === null || policy.pairing === "ring") {
    throw new ConfigError("--policy", kind, "be one whose peers meet in pairs: kindred, dccb, dcb");
  }
  return { peers, rounds, policy: kind, port };
}

/** Every peer that is still there has made its choices. */
function isDone(model: NetworkModel, rounds: number, peers: number): boolean {
  if (model.peers.length < peers) return false;
  const choices = model.column("choices");
  return model.peers.every(
    ({ peer, cluster }) => cluster === null || !model.isPresent(peer) || choices[peer] >= rounds,
  );
}

const quiet = () => createLog({ level: "error", readable: true, write: (line) => process.stderr.write(line) });

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
