import type { Choice, RoomPeer } from "@coterie/net";
import type { Contributions } from "@coterie/net/internal";
import type { Hono } from "hono";
import { createApp } from "../http/app.ts";
import { readJson } from "../http/body.ts";
import type { Vitals } from "../http/health.ts";
import { Problem } from "../http/problem.ts";
import { mountRoutine } from "../http/routine.ts";
import type { Log } from "../log/log.ts";
import type { PeerMetrics } from "../metrics/peerMetrics.ts";
import type { FileFeatures } from "./features.ts";
import { openApi } from "./openApi.ts";
import {
  parseCancel,
  parseChoose,
  parseMost,
  parseObserve,
  parseReward,
  parseScore,
  parseShown,
  parseSlate,
  parseWatch,
} from "./requests.ts";

export type FilePeer = RoomPeer<FileFeatures>;

export interface PeerAppOptions {
  /** Null until it is open. */
  readonly peer: () => FilePeer | null;
  /** Where other peers reach it. */
  readonly addresses: () => readonly string[];
  readonly vitals: Vitals;
  readonly metrics: PeerMetrics;
  readonly log: Log;
  readonly token: string | null;
  /** Whether choices have tokens that other workers take. */
  readonly tokens: boolean;
}

/** A peer's local HTTP API. */
export function createPeerApp(options: PeerAppOptions): Hono {
  const { vitals, metrics, log, token, tokens } = options;
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

  /** With tokens, once the choices are on the disk: what strangers are handed must not come to nothing with this process. */
  const described = async (choices: readonly Choice<unknown, Contributions>[], explain: boolean): Promise<object[]> => {
    if (tokens) await watched(Promise.all(choices.map((choice) => choice.saved())));
    return choices.map((choice) => ({ ...describe(choice, explain), ...(tokens && { token: choice.token }) }));
  };

  app.post("/choose", async (c) => {
    const peer = open();
    const { items, k, explain, menu } = parseChoose(await readJson(c));
    const choices = peer.chooseTop(items, k, menu);
    metrics.chose(choices.length);
    return c.json({ choices: await described(choices, explain) });
  });

  app.post("/slate", async (c) => {
    const peer = open();
    const { items, k, explain, menu } = parseSlate(await readJson(c));
    const { id: slate, choices } = peer.slate(items, { ...menu, k });
    metrics.chose(choices.length);
    return c.json({ slate, choices: await described(choices, explain) });
  });

  app.post("/slate/shown", async (c) => {
    const peer = open();
    const { slate, token: named, places } = parseShown(await readJson(c));
    if (named !== undefined) return c.json({ result: await watched(peer.shownToken(named, places)) });
    peer.shown(slate!, places);
    return c.json({ result: "noted" });
  });

  app.post("/slate/cancel", async (c) => {
    const peer = open();
    const { slate, token: named } = parseCancel(await readJson(c));
    if (named !== undefined) return c.json({ result: await watched(peer.cancelToken(named)) });
    peer.cancel(slate!);
    return c.json({ result: "noted" });
  });

  app.post("/score", async (c) => {
    const { items, explain, menu } = parseScore(await readJson(c));
    const scores = open().score(items, menu);
    return c.json({
      scores: scores.map((scored) => {
        const { index, score, mean, spread } = scored;
        return { index, score, mean, spread, ...(explain && { explanation: scored.explain() }) };
      }),
    });
  });

  app.get("/pending", (c) => {
    const peer = open();
    const most = parseMost(c.req.query("most"));
    return c.json({ count: peer.state().pending, choices: peer.pending({ most }) });
  });

  app.get("/weights", (c) => c.json({ weights: open().weights() }));

  app.post("/reward", async (c) => {
    const peer = open();
    const { id, token: named, reward } = parseReward(await readJson(c));
    const result = await watched(named === undefined ? peer.reward(id!, reward) : peer.rewardToken(named, reward));
    metrics.rewarded(result);
    return c.json({ result });
  });

  app.post("/observe", async (c) => {
    const peer = open();
    const { items, index, reward, options: known } = parseObserve(await readJson(c));
    const observed = await watched(peer.observe(items, index, reward, known));
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
  const { alive, inDoubt, massAtRisk, misfits, quarantined } = peer.state();
  const notes: string[] = [];
  if (alive.length === 0) notes.push("nobody else is alive: this peer learns alone");
  if (misfits > 0) notes.push(`others in the room have other features, another policy or version: ${misfits}`);
  if (inDoubt !== null) notes.push("the end of an exchange is not known yet; it is asked for at every tick");
  if (massAtRisk > 0) notes.push(`exchanges given up in doubt: ${massAtRisk}`);
  if (quarantined !== null)
    notes.push(`the store was not as this peer left it, and was put in order at this start: ${quarantined.reason}`);
  return notes;
}
