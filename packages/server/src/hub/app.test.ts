import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hub, startHub } from "@coterie/net";
import { DECK_ROOM } from "@coterie/studio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Vitals } from "../http/health.ts";
import type { OpenApi } from "../http/openApi.ts";
import { HubMetrics } from "../metrics/hubMetrics.ts";
import { misfits } from "../testing/schema.ts";
import { silent } from "../testing/server.ts";
import { createHubApp } from "./app.ts";
import { readKey } from "./key.ts";
import { mountHubPages } from "./pages.ts";

describe("a hub's HTTP side", () => {
  let hub: Hub | null = null;
  const vitals = new Vitals();
  const metrics = new HubMetrics(() => hub);
  const app = createHubApp({ hub: () => hub, vitals, metrics, log: silent, token: null });
  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const answer = await app.request(`http://127.0.0.1${path}`);
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };

  it("is not ready before the hub is", async () => {
    expect((await get("/health")).status).toBe(503);
    expect((await get("/health/live")).status).toBe(200);
    expect((await get("/rooms")).status).toBe(503);
    expect((await get("/metrics")).body).toContain("coterie_hub_members 0");
  });

  it("answers as its document says", async () => {
    hub = await startHub({ listen: ["/ip4/127.0.0.1/tcp/0"] });
    vitals.begun();
    try {
      const document = (await get("/openapi.json")).body as OpenApi;
      const routes = app.routes.filter(({ method }) => method !== "ALL").map(({ path }) => path);
      expect(Object.keys(document.paths).sort()).toEqual(routes.sort());
      for (const path of ["/rooms", "/members", "/health", "/health/live"]) {
        const { status, body } = await get(path);
        const schema = document.paths[path]?.get?.responses[status]?.content["application/json"]?.schema;
        expect(misfits(document, schema ?? { enum: [] }, body)).toEqual([]);
      }
      expect((await get("/rooms")).body).toMatchObject({ self: hub.self, rooms: [], members: 0 });
    } finally {
      await hub.close();
    }
  });
});

describe("a hub's pages", () => {
  const secret = "0123456789abcdef";
  const page = async (listen: string[], options: Partial<Parameters<typeof mountHubPages>[1]> = {}) => {
    const hub = await startHub({ listen });
    const metrics = new HubMetrics(() => hub);
    const app = createHubApp({ hub: () => hub, vitals: new Vitals(), metrics, log: silent, token: secret });
    mountHubPages(app, { hub: () => hub, rooms: undefined, http: { host: "127.0.0.1", port: 0 }, ...options });
    const ask = (path: string, token = secret) =>
      app.request(`http://127.0.0.1${path}`, { headers: { authorization: `Bearer ${token}` } });
    return { hub, ask, [Symbol.asyncDispose]: () => hub.close() };
  };
  const WS = ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"];

  it("are for everybody, with a policy that lets them reach the hub alone; what they show needs the token", async () => {
    await using served = await page(WS);
    const front = await served.ask("/", "none");
    expect(front.status).toBe(200);
    expect(await front.text()).toContain("<title>Hub · Coterie</title>");
    const socket = /127\.0\.0\.1\/tcp\/(\d+)\/ws/.exec(served.hub.addresses.join())?.[1];
    const policy = front.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${socket};`);
    for (const path of ["/rooms", "/members", "/metrics", "/room"]) {
      expect((await served.ask(path, "none")).status).toBe(401);
      expect((await served.ask(path)).status).toBe(200);
    }
    const { bootstrap } = (await (await served.ask("/room")).json()) as { bootstrap: string[] };
    expect(bootstrap).toEqual(served.hub.addresses.filter((address) => address.includes("/ws")));
  });

  it("say why a tab cannot join", async () => {
    const why = async (served: Awaited<ReturnType<typeof page>>): Promise<string> => {
      await using closing = served;
      return ((await (await closing.ask("/room")).json()) as { error: string }).error;
    };
    expect(await why(await page(WS.slice(0, 1)))).toContain("must listen on a WebSocket");
    expect(await why(await page(WS, { rooms: [{ name: "front-page" }] }))).toContain("for other rooms");
    const keyed = [{ name: DECK_ROOM, roomKey: "k".repeat(16) }];
    expect(await why(await page(WS, { rooms: keyed }))).toContain("has a key here");
    // From another machine only an encrypted socket will do.
    expect(await why(await page(WS, { http: { host: "0.0.0.0", port: 0 } }))).toContain("announce one (wss)");
  });
});

describe("a hub's key", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coterie-key-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is drawn once, for its owner's eyes, and found again", () => {
    const file = join(folder, "hub.key");
    const key = readKey("--key-file", file);
    expect(key.length).toBe(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readKey("--key-file", file)).toEqual(key);
    expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  it("is refused where it is none, and never written over", () => {
    const file = join(folder, "wrong.key");
    writeFileSync(file, "secret");
    expect(() => readKey("--key-file", file)).toThrow("--key-file must be a file with 64 hex digits");
    expect(readFileSync(file, "utf8")).toBe("secret");
    expect(() => readKey("--key-file", folder)).toThrow("--key-file must be a file that can be read");
    expect(() => readKey("--key-file", join(folder, "no", "such"))).toThrow(
      "--key-file must be a file that can be written",
    );
  });
});
