import type { Hub } from "@coterie/net";
import { DECK_ROOM } from "@coterie/studio";
import type { Hono } from "hono";
import { contentPolicy, mountPages, socketsOf } from "../feed/pages.ts";
import { type HttpAddress, isLoopback } from "../http/address.ts";
import { Problem } from "../http/problem.ts";
import { requireHub } from "./app.ts";

export interface HubPagesOptions {
  readonly hub: () => Hub | null;
  /** The rooms the hub is for; any where it is not told. */
  readonly rooms: readonly { readonly name: string; readonly roomKey?: string }[] | undefined;
  /** Where the pages are served. */
  readonly http: HttpAddress;
}

/** What people look at: the hub's own page, and `/join`, by which a tab joins the room of the posters through this hub. */
export function mountHubPages(app: Hono, { hub, rooms, http }: HubPagesOptions): void {
  const open = (): string[] => dialable(hub()?.addresses ?? [], isLoopback(http.host));
  mountPages(app, () => contentPolicy(socketsOf(open())), "hub.html");
  app.get("/room", (c) => {
    requireHub(hub);
    requireRoom(rooms);
    const bootstrap = open();
    if (bootstrap.length > 0) return c.json({ bootstrap, names: {} });
    throw new Problem(404, "the hub has no address for pages: it must listen on a WebSocket or announce one (wss)");
  });
}

/** What a page may dial: encrypted WebSockets; others only on the machine that the page comes from. */
function dialable(addresses: readonly string[], local: boolean): string[] {
  return addresses.filter((address) => {
    const [url] = socketsOf([address]);
    if (url === undefined) return false;
    return url.startsWith("wss:") || (local && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, "")));
  });
}

/** The page brings its own app along, so it can only be in that app's room; and it knows no key. */
function requireRoom(rooms: HubPagesOptions["rooms"]): void {
  const found = rooms?.find(({ name }) => name === DECK_ROOM);
  if (rooms !== undefined && found === undefined) {
    throw new Problem(404, `this hub is for other rooms, and the page's own is "${DECK_ROOM}"`);
  }
  if (found?.roomKey !== undefined) throw new Problem(404, `the room ${DECK_ROOM} has a key here, and a page has none`);
}
