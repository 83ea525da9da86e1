import { Hono } from "hono";
import type { Log } from "../log/log.ts";
import { guard } from "./guard.ts";
import { type ProblemBody, problemOf } from "./problem.ts";

export interface AppOptions {
  readonly log: Log;
  /** Null where only this machine gets here. */
  readonly token: string | null;
  /** Paths that need no token: pages, which hold nothing that is not in the package. */
  readonly isOpen?: (path: string) => boolean;
  /** Hears of every answer. */
  readonly onAnswer?: (status: number) => void;
}

/** An app without routes: who may ask, what is logged, and every refusal as JSON. */
export function createApp({ log, token, isOpen = () => false, onAnswer }: AppOptions): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    const { status } = c.res;
    onAnswer?.(status);
    const ms = Math.round((performance.now() - started) * 10) / 10;
    log.debug("answered", { method: c.req.method, path: c.req.path, status, ms });
  });
  app.use(guard(token, isOpen));
  app.onError((error, c) => {
    const { status, message, headers } = problemOf(error);
    if (status === 500) log.error("request failed", { method: c.req.method, path: c.req.path, error });
    const body: ProblemBody = { error: message };
    return c.json(body, status, headers);
  });
  app.notFound((c) => {
    const allowed = methodsAt(app, c.req.path);
    if (allowed.length === 0) return c.json({ error: `there is nothing at ${clip(c.req.path)}` }, 404);
    const allow = allowed.join(", ");
    return c.json({ error: `${c.req.path} takes ${allow}, but the method is ${clip(c.req.method)}` }, 405, { allow });
  });
  return app;
}

function methodsAt(app: Hono, path: string): string[] {
  const methods = app.routes.filter((route) => route.path === path && route.method !== "ALL").map((at) => at.method);
  return [...new Set(methods)].sort();
}

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
