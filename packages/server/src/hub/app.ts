import type { Hub } from "@coterie/net";
import type { Hono } from "hono";
import { isPage } from "../feed/pages.ts";
import { createApp } from "../http/app.ts";
import type { Vitals } from "../http/health.ts";
import { Problem } from "../http/problem.ts";
import { mountRoutine } from "../http/routine.ts";
import type { Log } from "../log/log.ts";
import type { HubMetrics } from "../metrics/hubMetrics.ts";
import { hubOpenApi } from "./openApi.ts";

export interface HubAppOptions {
  /** Null until it is up. */
  readonly hub: () => Hub | null;
  readonly vitals: Vitals;
  readonly metrics: HubMetrics;
  readonly log: Log;
  readonly token: string | null;
}

/** Members in one answer. */
const MOST_MEMBERS = 1000;

/** A hub's HTTP side; `mountHubPages` adds what people look at. */
export function createHubApp({ hub, vitals, metrics, log, token }: HubAppOptions): Hono {
  const app = createApp({ log, token, isOpen: isPage, onAnswer: (status) => metrics.answered(status) });
  app.get("/rooms", (c) => c.json(overview(requireHub(hub))));
  app.get("/members", (c) => c.json({ members: requireHub(hub).members(MOST_MEMBERS) }));
  mountRoutine(app, { vitals, metrics, document: hubOpenApi(token !== null) });
  return app;
}

export function requireHub(hub: () => Hub | null): Hub {
  const running = hub();
  if (running === null) throw new Problem(503, "the hub is being opened", { "retry-after": "1" });
  return running;
}

function overview(hub: Hub): object {
  const {
    members,
    traded,
    hubs,
    connections,
    reservations,
    circuits,
    relayedBytes,
    introductions,
    violations,
    overloads,
  } = hub.counts();
  const { self, addresses } = hub;
  const relay = { reservations, circuits, relayedBytes, introductions };
  const rooms = hub.rooms();
  const faults = { violations: Object.fromEntries(violations), overloads: Object.fromEntries(overloads) };
  return { self, addresses, rooms, members, traded, hubs, connections, ...relay, ...faults };
}
