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

/** The lab's worker has a policy of its own, by which it may run the kernels, which are WebAssembly; no page may. */
const policyFor = (name: string, policy: string): string =>
  name.startsWith("assets/worker-") ? policy.replace("script-src 'self'", "$& 'wasm-unsafe-eval'") : policy;

/** Whether it is a page or a part of one, and so the same for everybody. */
export const isPage = (path: string): boolean => /^\/(join|lab|assets\/[A-Za-z0-9._-]+)?$/.test(path);

/** Where pages may open sockets to at these addresses of a hub, as URLs. */
export function socketsOf(addresses: readonly string[]): string[] {
  return addresses.flatMap((address) => {
    const found = /^\/(ip4|ip6|dns[46]?)\/([\w.:-]+)\/tcp\/(\d+)\/(ws|wss|tls\/ws)(\/|$)/.exec(address);
    if (found === null) return [];
    const [, kind, host, port, way] = found;
    return [`${way === "ws" ? "ws" : "wss"}://${kind === "ip6" ? `[${host}]` : host}:${port}`];
  });
}

/** Mounts the pages: `/` the network, or what a hub sees of it, `/join` the tab as a peer, `/lab` the simulation. */
export function mountPages(app: Hono, policy: () => string, front: "index.html" | "hub.html" = "index.html"): void {
  const send = (name: string, status = 200): Response => {
    const file = fileURLToPath(new URL(name, pageDirectory));
    if (!existsSync(file)) throw new Problem(404, `there is no ${name}: build the pages first (npm run build)`);
    return new Response(readFileSync(file), {
      status,
      headers: {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        "content-security-policy": policyFor(name, policy()),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      },
    });
  };
  // A person who mistypes an address is told so on a page; programs get what the API says.
  app.use(async (c, next) => {
    await next();
    const person = c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
    if (person && c.res.status === 404) c.res = send("missing.html", 404);
  });
  app.get("/", () => send(front));
  app.get("/join", () => send("join.html"));
  app.get("/lab", () => send("lab.html"));
  // One folder, plain names: no way out of it.
  app.get("/assets/:name{[A-Za-z0-9._-]+}", (c) => send(`assets/${c.req.param("name")}`));
}
