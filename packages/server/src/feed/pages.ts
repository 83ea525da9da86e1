import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { pageDirectory } from "@coterie/studio";
import type { Hono } from "hono";
import { Problem } from "../http/problem.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Nothing but what this server sends runs or shows on a page, and a page talks to this server alone; `sockets` are the
 * hub's, for the tab that is a peer.
 */
export const contentPolicy = (sockets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...sockets].join(" ")}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Mounts the pages: `/` the network, `/join` the tab as a peer, `/lab` the simulation. */
export function mountPages(app: Hono, policy: () => string): void {
  const send = (name: string): Response => {
    const file = fileURLToPath(new URL(name, pageDirectory));
    if (!existsSync(file)) throw new Problem(404, `there is no ${name}: build the pages first (npm run build)`);
    return new Response(readFileSync(file), {
      headers: {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        "content-security-policy": policy(),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      },
    });
  };
  app.get("/", () => send("index.html"));
  app.get("/join", () => send("join.html"));
  app.get("/lab", () => send("lab.html"));
  // One folder, plain names: no way out of it.
  app.get("/assets/:name{[A-Za-z0-9._-]+}", (c) => send(`assets/${c.req.param("name")}`));
}
