import type { Choice, Contributions, Features, RoomPeer } from "@coterie/net";
import type { Hono } from "hono";
import { createApp } from "../http/app.ts";
import { readJson } from "../http/body.ts";
import type { Vitals } from "../http/health.ts";
import { Problem } from "../http/problem.ts";
import { mountRoutine } from "../http/routine.ts";
import type { Log } from "../log/log.ts";
import type { PeerMetrics } from "../metrics/peerMetrics.ts";
import { openApi } from "./openApi.ts";
import { parseChoose, parseObserve, parseReward, parseWatch } from "./requests.ts";

export type FilePeer = RoomPeer<Features<unknown>>;

export interface PeerAppOptions {
  /** Null until it is open. */
  readonly peer: () => FilePeer | null;
  /** Where other peers reach it. */
  readonly addresses: () => readonly string[];
  readonly vitals: Vitals;
  readonly metrics: PeerMetrics;
  readonly log: Log;
  readonly token: string | null;
}

/** A peer's local HTTP API. */
export function createPeerApp(options: PeerAppOptions): Hono {
  const { vitals, metrics, log, token } = options;
  const app = createApp({ log, token, onAnswer: (status) => metrics.answered(status) });
  const open = (): FilePeer => {
    const peer = options.peer();
    if (peer === null) throw new Problem(503, "the peer is being opened", { "retry-after": "1" });
    return peer;
  };
  /** A store that failed is noticed here first. */
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      vitals.failed(error);
      throw error;
    }
  };

  app.post("/choose", async (c) => {
    const peer = open();
    const { items, k, explain, unit } = parseChoose(await readJson(c));
    const choices = peer.chooseTop(items, k, { unit });
    metrics.chose(choices.length);
    return c.json({ choices: choices.map((choice) => describe(choice, explain)) });
  });

  app.post("/reward", async (c) => {
    const peer = open();
    const { id, reward } = parseReward(await readJson(c));
    const result = await watched(peer.reward(id, reward));
    metrics.rewarded(result);
    return c.json({ result });
  });

  app.post("/observe", async (c) => {
    const peer = open();
    const { items, index, reward } = parseObserve(await readJson(c));
    const observed = await watched(peer.observe(items, index, reward));
    metrics.rewarded("observed");
    return c.json(observed);
  });

  app.post("/watch", async (c) => {
    const peer = open();
    const { items, index, options: known } = parseWatch(await readJson(c));
    const { id, wouldChoose } = peer.watch(items, index, known);
    return c.json({ id, wouldChoose });
  });

  app.get("/state", (c) => c.json({ ...open().state(), addresses: options.addresses() }));

  mountRoutine(app, {
    vitals,
    metrics,
    document: openApi(token !== null),
    notes: () => notesOn(options.peer()),
  });
  return app;
}

function describe(choice: Choice<unknown, Contributions>, explain: boolean): object {
  const { id, index, propensity } = choice;
  return { id, index, propensity, ...(explain && { explanation: choice.explain() }) };
}

/** Nothing of this keeps a peer from choosing and learning. */
function notesOn(peer: FilePeer | null): string[] {
  if (peer === null) return [];
  const { alive, inDoubt, massAtRisk, quarantined } = peer.state();
  const notes: string[] = [];
  if (alive.length === 0) notes.push("nobody else is alive: this peer learns alone");
  if (inDoubt !== null) notes.push("the end of an exchange is not known yet; it is asked for at every tick");
  if (massAtRisk > 0) notes.push(`exchanges given up in doubt: ${massAtRisk}`);
  if (quarantined !== null) notes.push(`the store was damaged and repaired at this start: ${quarantined.reason}`);
  return notes;
}
