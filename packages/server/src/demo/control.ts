import { timingSafeEqual } from "node:crypto";
import { check } from "@coterie/core";
import type { Hono } from "hono";
import { readJson } from "../http/body.ts";
import { Problem } from "../http/problem.ts";
import type { DemoNetwork } from "./network.ts";

const ACTIONS = ["add", "kill", "cut", "heal", "lie", "truth"] as const;

/** What a page may do to the network, for whoever has the token. Each answers when it is done or under way. */
export function mountControl(app: Hono, network: () => DemoNetwork, token: string): void {
  app.post("/control", async (c) => {
    const header = c.req.header("authorization") ?? "";
    if (!bears(header, token)) {
      throw new Problem(401, "the address that the demo printed has a token in it; this page was opened without");
    }
    const order = check.fields("body", await readJson(c), ["action", "peer", "count"]);
    const action = check.oneOf("action", order.action, ACTIONS);
    const peer = (): number => check.whole("peer", order.peer, 0);
    if (action === "add") await network().add(check.whole("count", order.count ?? 1, 1, 50));
    if (action === "kill") network().kill(peer());
    if (action === "lie") network().lie(peer(), true);
    if (action === "truth") network().lie(peer(), false);
    if (action === "cut") network().cut();
    if (action === "heal") network().heal();
    return c.json({ done: action });
  });
}

function bears(header: string, token: string): boolean {
  const given = Buffer.from(header);
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
