import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ConfigError } from "@coterie/core";
import { getRequestListener } from "@hono/node-server";
import { type HttpAddress, origin } from "./address.ts";
import { ConnectionSlots, type SlotLimits } from "./slots.ts";

/** What a caller may take of this server. */
export interface HttpLimits extends SlotLimits {
  readonly headersMs: number;
  /** From a request's first byte to its last; who needs longer only holds memory. */
  readonly requestMs: number;
  /** Longer than proxies keep theirs, so that it is not us who hang up just as one asks. */
  readonly keepAliveMs: number;
  /** How often slow requests are looked for. */
  readonly checkMs: number;
}

const LIMITS: HttpLimits = {
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 75_000,
  checkMs: 1_000,
  connections: 512,
  local: 64,
  probes: 32,
  idleMs: 1_000,
  probeMs: 1_000,
};

/** From the last word to a caller to the end of its connection, whether it has heard it or not. */
const FAREWELL_MS = 500;

export interface Listening {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  readonly port: number;
  /** Answers nobody new, waits so long for those under way, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

/** `handle` answers requests; `field` names the address in errors. */
export async function listen(
  field: string,
  { host, port }: HttpAddress,
  handle: (request: Request) => Response | Promise<Response>,
  limits: HttpLimits = LIMITS,
): Promise<Listening> {
  const slots = new ConnectionSlots(limits);
  const answer = getRequestListener((request) => handle(request), { overrideGlobalObjects: false });
  const server = createServer(
    {
      requestTimeout: limits.requestMs,
      headersTimeout: limits.headersMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      if (slots.begin(request, response)) void answer(request, response);
      else turnAway(response);
    },
  );
  server.on("connection", (socket) => slots.admit(socket));
  server.on("clientError", refuse);
  const bound = await open(server, field, { host, port });
  return { url: origin({ host, port: bound }), port: bound, close: (graceMs) => close(server, graceMs) };
}

function open(server: Server, field: string, { host, port }: HttpAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(field, { host, port }, error)));
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

function explain(field: string, { host, port }: HttpAddress, error: NodeJS.ErrnoException): Error {
  const bounds: Record<string, string> = {
    EADDRINUSE: "be an address that nobody else listens on",
    EACCES: "be an address that this user may listen on",
    EADDRNOTAVAIL: "be an address of this machine",
    ENOTFOUND: "be a host that can be found",
  };
  const bound = bounds[error.code ?? ""];
  return bound === undefined ? error : new ConfigError(field, `${host}:${port}`, bound);
}

const REFUSALS: Readonly<Record<string, readonly [line: string, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not come in time"],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the headers must have at most 16384 bytes"],
};

/** What is no HTTP, or too slow, never becomes a request; it gets JSON all the same. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [line, sentence] = REFUSALS[error.code ?? ""] ?? ["400 Bad Request", "this is no HTTP request"];
  const body = JSON.stringify({ error: sentence });
  const head = `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n`;
  socket.end(`${head}\r\n${body}`);
  // A caller that neither reads nor hangs up would keep its slot for ever.
  const cut = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once("close", () => clearTimeout(cut));
}

/** All slots are taken; this connection had one of those for probes. */
function turnAway(response: ServerResponse): void {
  const body = JSON.stringify({ error: "too many connections" });
  const headers = { "content-type": "application/json", "retry-after": "1", connection: "close" };
  response.writeHead(503, headers).end(body);
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
