import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { Problem } from "./problem.ts";

/** Probes carry no secrets, and tell none. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/health", "/health/live"]);

/**
 * With a token: whoever does not bear it is turned away. Without one only this machine gets here, and then the danger is
 * a page in a browser on it whose name was made to point here: its requests name that name as the host.
 */
export function guard(token: string | null, isOpen: (path: string) => boolean): MiddlewareHandler {
  const expected = token === null ? null : digest(token);
  return async (c, next) => {
    if (expected === null) requireLocalName(c.req.header("host") ?? "");
    else if (
      !OPEN_PATHS.has(c.req.path) &&
      !isOpen(c.req.path) &&
      !bears(c.req.header("authorization") ?? "", expected)
    ) {
      throw new Problem(401, "authorization must be Bearer and this server's token", { "www-authenticate": "Bearer" });
    }
    await next();
  };
}

function requireLocalName(host: string): void {
  const name = host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  if (name === "" || name.toLowerCase() === "localhost" || isIP(name) !== 0) return;
  throw new Problem(421, "host must be localhost or an address, as in http://127.0.0.1");
}

function bears(header: string, expected: Buffer): boolean {
  const found = /^Bearer +(\S+) *$/i.exec(header);
  return found !== null && timingSafeEqual(digest(found[1] ?? ""), expected);
}

/** Of equal length whatever was given, so that comparing tells nothing. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
