import type { Hono } from "hono";
import type { Registry } from "prom-client";
import type { Vitals } from "./health.ts";

export interface RoutineOptions {
  readonly vitals: Vitals;
  readonly metrics: { readonly registry: Registry };
  /** The API in OpenAPI's terms. */
  readonly document: object;
  /** Worth knowing, though nothing is wrong with the process. */
  readonly notes?: () => readonly string[];
}

/** What every process says of itself. */
export function mountRoutine(app: Hono, { vitals, metrics, document, notes }: RoutineOptions): void {
  app.get("/health", (c) => {
    const health = vitals.health(notes?.());
    return c.json(health, health.ready ? 200 : 503);
  });
  app.get("/health/live", (c) => {
    const health = vitals.health();
    return c.json(health, health.live ? 200 : 503);
  });
  app.get("/metrics", async (c) => {
    const { registry } = metrics;
    return c.body(await registry.metrics(), 200, { "content-type": registry.contentType });
  });
  app.get("/openapi.json", (c) => c.json(document));
}
