import type { Hub } from "@coterie/net";
import type { Hono } from "hono";
import { createApp } from "../http/app.ts";
import type { Vitals } from "../http/health.ts";
import { Problem } from "../http/problem.ts";
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

/** A hub's HTTP side. Routes can be added to what it returns: a dashboard, say. */
export function createHubApp({ hub, vitals, metrics, log, token }: HubAppOptions): Hono {
  const app = createApp({ log, token, onAnswer: (status) => metrics.answered(status) });
  app.get("/rooms", (c) => {
    const running = hub();
    if (running === null) throw new Problem(503, "the hub is being opened", { "retry-after": "1" });
    return c.json(overview(running));
  });
  app.get("/health", (c) => {
    const health = vitals.health();
    return c.json(health, health.ready ? 200 : 503);
  });
  app.get("/health/live", (c) => {
    const health = vitals.health();
    return c.json(health, health.live ? 200 : 503);
  });
  app.get("/metrics", async (c) =>
    c.body(await metrics.registry.metrics(), 200, { "content-type": metrics.registry.contentType }),
  );
  const document = hubOpenApi(token !== null);
  app.get("/openapi.json", (c) => c.json(document));
  return app;
}

function overview(hub: Hub): object {
  const { members, connections, reservations, circuits, relayedBytes, introductions, violations } = hub.counts();
  const { self, addresses } = hub;
  const relay = { reservations, circuits, relayedBytes, introductions };
  const rooms = hub.rooms();
  return { self, addresses, rooms, members, connections, ...relay, violations: Object.fromEntries(violations) };
}
