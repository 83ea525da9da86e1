// How fluent the page is:  node packages/studio/scripts/frames.mjs [live|recording]   (after a build; never part of the tests)
//
// Serves made-up feeds of the size and shape of real ones to the built page, in software rendering, and prints frames a
// second while peers move and exchanges flash by, and for a recording the longest time the page did not answer while it
// was loaded and while its reader went to and fro in it.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { Random } from "@coterie/core";
import { FEED_VERSION, toLine } from "@coterie/studio";
import { withPage } from "./browser.mjs";

const PAGES = new URL("../dist/page/", import.meta.url);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const GROUPS = 20;
const TIES = 8;

/** Beats of a network of so many peers: all choose in each, every second one meets somebody, some change their pool. */
function* feed(peers, beats, source) {
  const random = Random.seeded(1);
  yield toLine({ coterie: "feed", version: FEED_VERSION, policy: "kindred", periodMs: 500, startedMs: 0, source });
  const each = (make) => Array.from({ length: peers }, (_, peer) => make(peer)).flat();
  const joined = Array.from({ length: peers }, (_, peer) => ({
    peer,
    id: `id${peer}`,
    name: `Peer ${peer}`,
    cluster: peer % GROUPS,
  }));
  const ties = each((peer) =>
    Array.from({ length: TIES }, (_, k) => peer + (k < TIES / 2 ? -1 : 1) * GROUPS * (1 + (k % (TIES / 2))))
      .filter((other) => other >= 0 && other < peers)
      .flatMap((other) => [peer, other, 1, 5]),
  );
  yield toLine({ at: 0, joined, pool: ties });
  for (let k = 1; k < beats; k++) {
    const met = [];
    for (let peer = 0; peer < peers; peer += 2) met.push(peer, random.below(peers), k % 7 === 0 ? 2 : 0, 900, 4000);
    const pool = Array.from({ length: 10 }, () => {
      const peer = random.below(peers - GROUPS);
      return [peer, peer + GROUPS, random.below(2), 4];
    }).flat();
    const earned = each((peer) => [peer, Math.round(random.uniform() * 1000) / 1000, 0.3, 0.1, 0.2]);
    const state = k % 4 === 0 ? each((peer) => [peer, k, k, 5 * k, 0, 0.01, 1000 * k]) : [];
    yield toLine({ at: k * 250, earned, met, pool, state });
  }
}

/** The built pages and one feed; `live` sends its beats in real time after the first few. */
async function serve(lines, live) {
  const server = createServer(async (request, response) => {
    const path = request.url === "/" ? "index.html" : request.url.slice(1);
    if (path !== "feed") {
      response
        .writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" })
        .end(readFileSync(new URL(path, PAGES)));
      return;
    }
    response.writeHead(200, {
      "content-type": "application/x-ndjson",
      ...(!live && { "x-coterie-feed": "recording" }),
    });
    for (const [k, line] of lines.entries()) {
      response.write(line);
      if (live && k > 3) await new Promise((resolve) => setTimeout(resolve, 250));
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => server.closeAllConnections() || server.close(),
  };
}

async function frames(peers) {
  const { url, close } = await serve([...feed(peers, 60, "live")], true);
  const found = await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
    await page.goto(url);
    await page.waitForFunction((count) => globalThis.coterie.moment.value?.model.present === count, peers);
    return page.evaluate(async () => {
      const { view } = globalThis.coterie.shown;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const [from, began] = [view.frames, performance.now()];
      await new Promise((resolve) => setTimeout(resolve, 6000));
      return ((view.frames - from) * 1000) / (performance.now() - began);
    });
  });
  close();
  console.log(`${peers} peers, live: ${found.toFixed(0)} frames a second`);
}

async function scrub(peers, beats) {
  const lines = [...feed(peers, beats, "live")];
  const { url, close } = await serve(lines, false);
  const found = await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
    await page.addInitScript(() => {
      globalThis.stalls = [];
      new PerformanceObserver((list) =>
        globalThis.stalls.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({ type: "longtask" });
    });
    const began = performance.now();
    await page.goto(url);
    await page.waitForFunction((count) => globalThis.coterie.moment.value?.timeline.length === count, beats, {
      timeout: 300_000,
    });
    const seconds = (performance.now() - began) / 1000;
    const loading = await page.evaluate(() => Math.max(0, ...globalThis.stalls.splice(0)));
    const slider = page.getByRole("slider");
    const most = Number(await slider.getAttribute("max"));
    for (let k = 0; k < 48; k++) {
      await slider.fill(`${Math.floor(((((k * 37) % 100) / 100) * most) / 250) * 250}`);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    return { seconds, loading, scrubbing: await page.evaluate(() => Math.max(0, ...globalThis.stalls)) };
  });
  close();
  const megabytes = lines.reduce((sum, { length }) => sum + length, 0) / 1e6;
  console.log(
    `${peers} peers, a recording of ${beats} beats (${megabytes.toFixed(0)} MB): loaded in ${found.seconds.toFixed(1)} s, longest stall ${found.loading.toFixed(0)} ms while loading, ${found.scrubbing.toFixed(0)} ms while scrubbing`,
  );
}

const [, , only] = process.argv;
if (only !== "recording") for (const peers of [24, 1000, 2000, 10_000]) await frames(peers);
if (only !== "live") await scrub(10_000, 120);
