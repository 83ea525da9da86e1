import { createReadStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { ConfigError } from "@coterie/core";
import { FeedError, parseHeader } from "@coterie/studio";
import { contentPolicy, mountPages } from "../feed/pages.ts";
import { createApp } from "../http/app.ts";
import { listen } from "../http/listen.ts";
import { createLog } from "../log/log.ts";

export interface RunningReplay {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves a recorded run to the same page: it has an end, and nothing can be done to it. */
export async function startReplay(path: string, port = 0): Promise<RunningReplay> {
  await requireFeed(path);
  const app = createApp({ log: createLog({ level: "error", readable: true, write: () => {} }), token: null });
  mountPages(app, () => contentPolicy());
  app.get("/feed", () => {
    const body = Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>;
    return new Response(body, {
      headers: { "content-type": "application/x-ndjson; charset=utf-8", "x-coterie-feed": "recording" },
    });
  });
  const server = await listen("--port", { host: "127.0.0.1", port }, (request) => app.fetch(request));
  return { url: `${server.url}/`, stop: () => server.close(0) };
}

/** Its first line must be a header that the page reads. */
async function requireFeed(path: string): Promise<void> {
  if (!existsSync(path)) throw new ConfigError("--replay", path, "be a file that can be read");
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    parseHeader(buffer.toString("utf8", 0, bytesRead).split("\n")[0]);
  } catch (error) {
    if (error instanceof FeedError) throw new ConfigError("--replay", path, `be a recording (${error.message})`);
    throw error;
  } finally {
    await file.close();
  }
}
