import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { silent } from "../testing/server.ts";
import { parseHttpAddress } from "./address.ts";
import { createApp } from "./app.ts";
import { readJson } from "./body.ts";
import { type HttpLimits, type Listening, listen } from "./listen.ts";

const HERE = { host: "127.0.0.1", port: 0 };
const SLOW = { headersMs: 60_000, requestMs: 60_000, keepAliveMs: 60_000, checkMs: 1000 };
const QUICK: HttpLimits = {
  headersMs: 200,
  requestMs: 200,
  keepAliveMs: 1000,
  checkMs: 50,
  connections: 8,
  local: 0,
  probes: 4,
  idleMs: 60_000,
  probeMs: 60_000,
};
const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close(0)));
});

async function echo(limits?: HttpLimits): Promise<Listening> {
  const app = createApp({ log: silent, token: null });
  app.post("/echo", async (c) => c.json(await readJson(c)));
  const http = await listen("--http", HERE, (request) => app.fetch(request), limits);
  open.push(http);
  return http;
}

/** Sends bytes as they are, and hands back all that comes until the other side hangs up. */
function send(port: number, ...pieces: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on("data", (data) => {
      heard += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard));
  });
}

const still = async ({ url }: Listening): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  return (await fetch(`${url}/echo`, { method: "POST", body: "[1]", headers })).json();
};

describe("an HTTP server", () => {
  it("answers what is no HTTP with a refusal in JSON, and goes on", async () => {
    const http = await echo();
    const noise = Uint8Array.from({ length: 4096 }, (_, k) => (k * 197 + 13) % 256);
    for (const garbage of ["\u0000\u0001\u0002\r\n\r\n", "GET\r\n\r\n", "POST /echo HTTP/9.9\r\n\r\n", noise]) {
      const heard = await send(http.port, garbage);
      expect(heard).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(heard.split("\r\n\r\n")[1] ?? "")).toEqual({ error: "this is no HTTP request" });
    }
    const long = await send(http.port, `GET /echo HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${"y".repeat(20_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 431 /);
    expect(await still(http)).toEqual([1]);
  });

  it("does not wait for slow headers or slow bodies", async () => {
    const http = await echo(QUICK);
    const head = "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n";
    expect(await send(http.port, "POST /echo HTT")).toMatch(/^HTTP\/1\.1 408 /);
    expect(await send(http.port, `${head}\r\n[1,`)).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect(await still(http)).toEqual([1]);
  });

  it("refuses bytes that are no UTF-8, and names that were made to point here", async () => {
    const http = await echo();
    const headers = { "content-type": "application/json" };
    const bytes = await fetch(`${http.url}/echo`, { method: "POST", body: Uint8Array.of(34, 255, 34), headers });
    expect([bytes.status, await bytes.json()]).toEqual([400, { error: "the body must be UTF-8" }]);
    const named = await send(http.port, "GET /echo HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
    expect(named).toMatch(/^HTTP\/1\.1 421 /);
  });

  it("says which address is taken", async () => {
    const { port } = await echo();
    const again = listen("--http", { host: "127.0.0.1", port }, new Hono().fetch);
    await expect(again).rejects.toThrow(
      `--http must be an address that nobody else listens on, but is "127.0.0.1:${port}"`,
    );
    const elsewhere = listen("--http", { host: "192.0.2.1", port: 0 }, new Hono().fetch);
    await expect(elsewhere).rejects.toThrow("--http must be an address of this machine");
  });

  it("when it is closed lets requests under way finish, and waits no longer than it was told to", async () => {
    let finish = (): void => {};
    const begun = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let asked = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const app = new Hono();
    app.get("/slow", async (c) => {
      asked();
      await begun;
      return c.text("done");
    });
    app.get("/never", () => new Promise<Response>(() => {}));
    const http = await listen("--http", HERE, (request) => app.fetch(request));
    const slow = fetch(`${http.url}/slow`);
    const never = fetch(`${http.url}/never`);
    await arrived;
    const closed = http.close(300);
    finish();
    expect(await (await slow).text()).toBe("done");
    await expect(never).rejects.toThrow();
    await closed;
    await expect(fetch(`${http.url}/slow`)).rejects.toThrow();
  });
});

describe("connections that say nothing", () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Connections that are held open whatever the server does, with these bytes sent on each. */
  async function hold(port: number, count: number, text = ""): Promise<Socket[]> {
    const held = Array.from({ length: count }, () => connect({ port, host: "127.0.0.1", allowHalfOpen: true }));
    sockets.push(...held);
    await Promise.all(
      held.map((socket) => {
        socket.on("error", () => {});
        socket.resume();
        return new Promise((resolve) => socket.once("connect", () => socket.write(text, resolve)));
      }),
    );
    return held;
  }

  async function healthy(limits?: HttpLimits): Promise<Listening> {
    const http = await listen("--http", HERE, (request) => new Response(new URL(request.url).pathname), limits);
    open.push(http);
    return http;
  }

  const get = async ({ url }: Listening, path: string): Promise<number> =>
    (await fetch(`${url}${path}`, { headers: { connection: "close" } })).status;

  it.each([
    ["nothing", ""],
    ["half a request", "GET / HTTP/1.1\r\nhost: 1"],
    ["one request and no more", "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
  ])("560 that have sent %s do not keep a probe out", async (_, text) => {
    const http = await healthy();
    await hold(http.port, 560, text);
    expect(await get(http, "/health")).toBe(200);
    expect(await get(http, "/health/live")).toBe(200);
  });

  it("lose their slot to whoever comes once they have been idle", async () => {
    const http = await healthy({ ...QUICK, ...SLOW, idleMs: 0, probes: 0 });
    const [first] = await hold(http.port, 8);
    const gone = new Promise((resolve) => first!.once("close", resolve).once("end", resolve));
    expect(await get(http, "/choose")).toBe(200);
    await gone;
  });

  it("are destroyed when their time is up, whether they read what they are told or not", async () => {
    // Nobody takes the slot of one that is idle: only its own deadline frees it.
    const http = await healthy({ ...QUICK, probes: 0, idleMs: 1e9 });
    const held = await hold(http.port, 8, "GET / HTT");
    for (const socket of held) await new Promise((resolve) => socket.once("end", resolve));
    // They do not hang up, and still there is room.
    let status = 0;
    while (status !== 200) status = await get(http, "/choose").catch(() => 0);
  });

  it("where all slots are busy a probe is told of the health, and others to come again", async () => {
    const http = await healthy({ ...QUICK, ...SLOW });
    await hold(http.port, 8, "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\n[1");
    expect(await get(http, "/health")).toBe(200);
    const refused = await fetch(`${http.url}/choose`);
    expect([refused.status, await refused.json()]).toEqual([503, { error: "too many connections" }]);
    // Nor do those that take the slots of probes keep a probe out.
    await hold(http.port, 20);
    expect(await get(http, "/health")).toBe(200);
  });

  it.each([
    ["for a moment", { probes: 4, probeMs: 50 }, 1],
    ["until the next ones come", { probes: 4, probeMs: 1e9 }, 5],
  ])("beyond all slots are held %s", async (_, limits, count) => {
    // No other deadline ends them.
    const http = await healthy({ ...QUICK, ...SLOW, headersMs: 1e9, requestMs: 1e9, ...limits });
    await hold(http.port, 8, "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\n[1");
    const first = (await hold(http.port, 1))[0]!;
    const gone = new Promise((resolve) => first.once("close", resolve).once("end", resolve));
    await hold(http.port, count - 1);
    await gone;
  });

  it("leave slots for this machine", async () => {
    const http = await healthy({ ...QUICK, ...SLOW, local: 2, probes: 0 });
    await hold(http.port, 8);
    expect(await get(http, "/choose")).toBe(200);
  });
});

describe("an address", () => {
  it("is a host and a port", () => {
    expect(parseHttpAddress("--http", "127.0.0.1:80")).toEqual({ host: "127.0.0.1", port: 80 });
    expect(parseHttpAddress("--http", "[::1]:0")).toEqual({ host: "::1", port: 0 });
    expect(parseHttpAddress("--http", "localhost:8080")).toEqual({ host: "localhost", port: 8080 });
  });

  it.each(["", "80", ":80", "127.0.0.1", "127.0.0.1:99999", "1.2.3:80", "::1:80", "a b:80", "127.0.0.1:-1"])(
    "%j is none",
    (text) => {
      expect(() => parseHttpAddress("--http", text)).toThrow("--http must be HOST:PORT such as 127.0.0.1:8080");
    },
  );
});
