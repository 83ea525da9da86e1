import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ServedFile {
  contents: Uint8Array;
  etag?: string;
  lastModified?: string;
  /** Breaks the connection after so many bytes of a body, for as many requests as there are numbers. */
  breakAfter?: number[];
  /** How much of the file its reader holds: a connection is not broken before what was sent is there. */
  arrived?: () => number;
  /** Sends ranges whatever If-Range says, as some servers do. */
  ignoresIfRange?: boolean;
  status?: number;
  /** Sends no Content-Length. */
  hidesLength?: boolean;
}

export interface FileServer {
  readonly baseUrl: string;
  readonly files: Map<string, ServedFile>;
  /** Of each request: its range, or "" for the whole file. */
  readonly ranges: string[];
  /** Of each request: what If-Range said, or "". */
  readonly conditions: string[];
}

/** A file server on this machine, with ranges, for the running test. */
export async function serveFiles(files: Record<string, ServedFile>): Promise<FileServer> {
  const served = new Map(Object.entries(files));
  const ranges: string[] = [];
  const conditions: string[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range ?? "");
    conditions.push(`${request.headers["if-range"] ?? ""}`);
    answer(served.get((request.url ?? "").slice(1)), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, files: served, ranges, conditions };
}

function answer(file: ServedFile | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (!file || file.status) {
    response.writeHead(file?.status ?? 404).end();
    return;
  }
  const { contents, etag, lastModified } = file;
  if (etag) response.setHeader("etag", etag);
  if (lastModified) response.setHeader("last-modified", lastModified);
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
  const condition = request.headers["if-range"];
  const unchanged = file.ignoresIfRange || condition === undefined || condition === etag || condition === lastModified;
  const start = range && unchanged ? Number(range[1]) : 0;
  if (start >= contents.length && start > 0) {
    response.writeHead(416, { "content-range": `bytes */${contents.length}` }).end();
    return;
  }
  const body = contents.subarray(start);
  if (!file.hidesLength) response.setHeader("content-length", body.length);
  if (range && unchanged)
    response.setHeader("content-range", `bytes ${start}-${contents.length - 1}/${contents.length}`);
  response.statusCode = range && unchanged ? 206 : 200;
  const stop = file.breakAfter?.shift();
  if (stop === undefined) response.write(body, () => response.end());
  else
    response.write(body.subarray(0, stop), () =>
      breakOff(response, () => (file.arrived?.() ?? start + stop) >= start + stop),
    );
}

/** Whatever a reader has not taken yet when the connection breaks is lost to it, so it is waited for. */
function breakOff(response: ServerResponse, arrived: () => boolean): void {
  setTimeout(() => (response.destroyed || arrived() ? response.destroy() : breakOff(response, arrived)), 20);
}
