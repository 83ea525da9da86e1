// How long a page's tab is blocked by its peer, in Chromium: its longest task, in processor time of the tab's own thread, so that what
// else the machine does hardly counts. By what the app asked for: to open a peer, to choose among 20 items, to reward, to tick, to look at the state. Its
// partners are in this process, asked over HTTP, and hold the records of all of them.
//   node bench/tab.mjs [--numbers 384] [--project 64|false] [--others 0] [--rounds 200] [--times 3] [--plain] [--profile] [--root path/to/other/clone] [--json]
// Each time is a page of its own. --plain: without WebAssembly. --profile: what was done in tasks above 16 ms.
import { createServer } from "node:http";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "vite";
import { openBrowser } from "../scripts/browser.mjs";
import { findChromium } from "../scripts/chromium.mjs";
import { worldOf } from "./tab/world.mjs";

const { values: given } = parseArgs({
  options: {
    numbers: { type: "string", default: "384" },
    project: { type: "string" },
    others: { type: "string", default: "0" },
    rounds: { type: "string", default: "200" },
    times: { type: "string", default: "3" },
    plain: { type: "boolean", default: false },
    root: { type: "string", default: "." },
    profile: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [numbers, others, rounds, times] = ["numbers", "others", "rounds", "times"].map((name) => Number(given[name]));
const project =
  given.project === undefined ? {} : { project: given.project === "false" ? false : Number(given.project) };
const here = dirname(fileURLToPath(import.meta.url));
const packageAt = (path) => resolve(given.root, "packages", path);
const { createPeer, memory, MemoryNetwork, vector } = await import(pathToFileURL(packageAt("net/dist/index.js")).href);

const ROOM = "tab";
/** What each of the others has seen, and how many of them pass on what all know. */
const [SEEN, LENDERS] = [40, Math.min(8, others)];

/** Peers of two tastes. Each has learnt alone; those that lend have met all others and one another. */
async function openOthers(network) {
  const world = worldOf(numbers);
  const features = { embedding: vector(numbers, project) };
  const peers = [];
  for (let k = 0; k < others; k++) {
    const seed = 1000 + k;
    const peer = await createPeer({ room: ROOM, features, tick: false, seed, network: memory(network) });
    for (let round = 0; round < SEEN; round++) {
      const { items, pay } = world.turn(seed, round, k % 2);
      const index = round % items.length;
      await peer.observe(items, index, pay(index));
    }
    peers.push(peer);
  }
  const lenders = peers.slice(0, LENDERS);
  const name = (peer) => peer.state().self;
  for (let k = LENDERS; k < others; k++) await lenders[k % LENDERS].tick({ partner: name(peers[k]) });
  for (let turn = 0; turn < 8; turn++) {
    for (const [k, peer] of lenders.entries()) {
      if (LENDERS > 1) await peer.tick({ partner: name(lenders[(k + 1 + (turn % (LENDERS - 1))) % LENDERS]) });
    }
  }
  return { names: peers.map(name), lenders: lenders.map(name) };
}

async function script() {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: here,
    resolve: {
      alias: [
        { find: "@coterie/net/browser", replacement: packageAt("net/dist/browser.js") },
        { find: "@coterie/core/internal", replacement: packageAt("core/dist/internal.js") },
        { find: "@coterie/core", replacement: packageAt("core/dist/index.js") },
        { find: "@coterie/kernels", replacement: packageAt("kernels/dist/index.js") },
      ],
    },
    build: {
      write: false,
      minify: false,
      target: "es2022",
      rolldownOptions: { input: join(here, "tab/page.mjs"), output: { format: "iife", codeSplitting: false } },
    },
  });
  return [built].flat()[0].output[0].code;
}

const network = new MemoryNetwork();
const { names, lenders } = await openOthers(network);
const code = await script();

async function answer(request, response) {
  const url = new URL(request.url, "http://here");
  if (url.pathname === "/page.js") return response.writeHead(200, { "content-type": "text/javascript" }).end(code);
  if (url.pathname !== "/ask") {
    const policy = given.plain ? { "content-security-policy": "script-src 'self'" } : {};
    response.writeHead(200, { "content-type": "text/html", ...policy });
    return response.end(
      '<!doctype html><title>tab</title><link rel="icon" href="data:,"><script src="/page.js"></script>',
    );
  }
  const parts = [];
  for await (const part of request) parts.push(part);
  const [from, to] = ["from", "to"].map((name) => url.searchParams.get(name));
  const answered = await network.link(from).request(to, new Uint8Array(Buffer.concat(parts)));
  return response.end(answered);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(502).end(String(error)));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const executable = findChromium();
if (executable === null) throw new Error("no Chromium: name one in COTERIE_CHROMIUM");

/** The tab's tasks while `action` lasts: by kind and round their processor time in milliseconds. */
async function traced(page, action) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => session.on("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel", "blink.user_timing"] },
    transferMode: "ReportEvents",
  });
  if (given.profile) {
    await session.send("Profiler.enable");
    await session.send("Profiler.setSamplingInterval", { interval: 200 });
    await session.send("Profiler.start");
  }
  const told = await action();
  const profile = given.profile ? (await session.send("Profiler.stop")).profile : null;
  await session.send("Tracing.end");
  await complete;
  const marks = events.filter(({ name }) => name.startsWith("phase ")).toSorted((a, b) => a.ts - b.ts);
  const { pid, tid } = marks[0];
  const tasks = events.filter((event) => event.pid === pid && event.tid === tid && event.name.endsWith("RunTask"));
  const blocks = tasks.flatMap(({ ts, dur, tdur }) => {
    const mark = marks.findLast((each) => each.ts <= ts + dur);
    if (mark === undefined) return [];
    const [, kind, round] = mark.name.split(" ");
    return [{ kind, round: Number(round), ms: tdur / 1000, from: ts, to: ts + dur }];
  });
  return { told, blocks, profile };
}

/** What the tab did in some of its tasks: milliseconds of each function, with all that it called and by itself. */
function timesOf({ nodes, samples, timeDeltas, startTime }, blocks) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const nameOf = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName || "(anonymous)"]));
  const [inclusive, own] = [new Map(), new Map()];
  let at = startTime;
  for (const [k, sample] of samples.entries()) {
    at += timeDeltas[k];
    if (!blocks.some(({ from, to }) => at >= from && at <= to)) continue;
    const names = new Set();
    for (let id = sample; id !== undefined; id = parents.get(id)) names.add(nameOf.get(id));
    for (const name of names) inclusive.set(name, (inclusive.get(name) ?? 0) + timeDeltas[k] / 1000);
    own.set(nameOf.get(sample), (own.get(nameOf.get(sample)) ?? 0) + timeDeltas[k] / 1000);
  }
  const listed = (times) =>
    [...times]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 28)
      .map(([name, time]) => `${name} ${ms(time / blocks.length)}`)
      .join(", ");
  return `with what they call: ${listed(inclusive)}\n  by themselves: ${listed(own)}`;
}

const ms = (value) => value.toFixed(1);
const lives = [];
for (let time = 0; time < times; time++) {
  const browser = await openBrowser(executable);
  const page = await browser.open(`http://127.0.0.1:${server.address().port}/`);
  const asked = { room: ROOM, numbers, options: project, names, lenders, rounds, seed: 1 + time };
  lives.push(await traced(page, () => page.evaluate((options) => globalThis.live(options), asked)));
  if (browser.complaints.length > 0) console.error(browser.complaints.join("\n"));
  await browser.close();
}
server.close();
server.closeAllConnections();

/** A page that shows 60 pictures a second draws one in this time. */
const FRAME_MS = 16;
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const KINDS = ["open", "choose", "reward", "tick", "state", "rest"];
const result = Object.fromEntries(
  KINDS.map((kind) => {
    const each = lives.map(({ blocks }) =>
      blocks.filter((block) => block.kind === kind).toSorted((a, b) => b.ms - a.ms),
    );
    const late = each.map((blocks) => blocks.find(({ round }) => round > 20)?.ms ?? 0);
    return [
      kind,
      {
        longest: each.map(([first]) => first),
        late,
        over: each.map((blocks) => blocks.filter((block) => block.ms > FRAME_MS).length),
      },
    ];
  }),
);
if (given.json) console.log(JSON.stringify({ told: lives[0].told, result }, null, 2));
else {
  const { dimension, lenders: lent } = lives[0].told;
  console.log(`${dimension} coordinates, ${others} others, ${rounds} rounds; rests on ${lent} others in the end`);
  for (const kind of given.profile ? KINDS : []) {
    for (const { blocks, profile } of lives) {
      const some = blocks.filter((block) => block.kind === kind && block.ms > FRAME_MS);
      if (some.length === 0) continue;
      console.log(`${kind}, ${some.length} tasks above ${FRAME_MS} ms, milliseconds of one: ${timesOf(profile, some)}`);
    }
  }
  for (const [kind, { longest, late, over }] of Object.entries(result)) {
    const rounds = longest.map((block) => `${ms(block.ms)} in round ${block.round}`).join(", ");
    console.log(
      `${kind.padEnd(6)} longest ${ms(median(longest.map((block) => block.ms)))} ms (${rounds}), after round 20 ${ms(median(late))}; above ${FRAME_MS} ms: ${over.join(", ")}`,
    );
  }
}
process.exit(0);
