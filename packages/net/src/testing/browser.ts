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
  /** What went wrong in its tabs: errors nobody caught, and requests to anywhere but this machine. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export async function launch(executablePath: string, script: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "coterie-chromium-"));
  const server = await serve(script);
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
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** From this machine, and really: a browser lets no page from elsewhere speak to it. */
async function serve(script: string): Promise<Server> {
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
