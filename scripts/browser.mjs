import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "./chromiumFlags.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** A browser that has never been used. `complaints` are errors that nobody caught, and what its consoles call errors. */
export async function openBrowser(executablePath) {
  const profile = mkdtempSync(join(tmpdir(), "coterie-chromium-"));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: CHROMIUM_FLAGS });
  const complaints = [];
  context.on("page", (page) => {
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  });
  return {
    complaints,
    async open(url) {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** A folder of files over HTTP, on this machine only. */
export async function serveFolder(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://here");
    const file = join(folder, normalize(pathname === "/" ? "/index.html" : decodeURIComponent(pathname)));
    if (!file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
