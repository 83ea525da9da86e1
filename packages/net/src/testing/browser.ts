import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { CHROMIUM_FLAGS } from "../../../../scripts/chromiumFlags.mjs";

/** A browser that has never been used. Its tabs have one origin, and all of them begin with the same script. */
export interface Browser {
  tab(): Promise<Page>;
  readonly origin: string;
  /** What went wrong in its tabs: errors nobody caught, and requests to anywhere but this machine. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Where a browser's profile and its server's port are given, what pages stored there before is there again. */
export interface LaunchOptions {
  readonly profile?: string;
  readonly port?: number;
}

export async function launch(executablePath: string, script: string, options: LaunchOptions = {}): Promise<Browser> {
  const profile = options.profile ?? mkdtempSync(join(tmpdir(), "coterie-chromium-"));
  const server = await serve(script, options.port ?? 0);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: CHROMIUM_FLAGS,
  });
  const complaints: string[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`a request to ${request.url()}`);
  });
  return {
    complaints,
    origin,
    async tab() {
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.goto(origin);
      return page;
    },
    async close() {
      await context.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (options.profile === undefined) rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** From this machine, and really: a browser lets no page from elsewhere speak to it. */
async function serve(script: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const [type, body] =
      request.url === "/script.js"
        ? ["text/javascript", script]
        : [
            "text/html",
            '<!doctype html><title>tab</title><link rel="icon" href="data:,"><script src="/script.js"></script>',
          ];
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
