// An exchange of two peers over libp2p beside a plain libp2p echo of the same bytes: processor time, in one run.
//   node bench/exchange.mjs [--dimension 25] [--slots 16] [--windows 9] [--size 60] [--warm 4500] [--only kindred] [--root DIR] [--json]
// `--only` measures the rows whose names begin so; `--root` the build of another checkout. Both are done `--warm` times before they are
// timed: processor time is that of all threads, and until then a large part of it is V8 compiling what an exchange runs through.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { echoPair } from "./echo.mjs";

const { values: options } = parseArgs({
  options: {
    dimension: { type: "string", default: "25" },
    slots: { type: "string", default: "16" },
    windows: { type: "string", default: "9" },
    size: { type: "string", default: "60" },
    warm: { type: "string", default: "4500" },
    root: { type: "string", default: join(import.meta.dirname, "..") },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
  },
});
const { dimension, slots: held, windows: times, size: each, warm: first } = options;
const [d, slots, windows, size, warm] = [dimension, held, times, each, first].map(Number);
const built = (path) => import(pathToFileURL(join(options.root, "packages", path)));
const { dcb, dccb, kindred, Random } = await built("core/dist/index.js");
const { folderStore, libp2p, MemoryNetwork } = await built("net/dist/index.js");
const parts = await built("net/dist/internal.js");
// As whoever opens a peer does.
await (await built("kernels/dist/index.js")).loadKernels();
const agreement = "b".repeat(64);
const delay = { rounds: slots };
const limits = { dimension: d, most: 1024, reward: 1 };
const folder = mkdtempSync(join(tmpdir(), "coterie-bench-"));

/** A store that keeps nothing: what is left is the codec, the validation and the mixing. */
const nowhere = () => ({
  size: { entries: 0, bytes: 0 },
  open: async () => ({ incarnation: 1, snapshot: null, entries: [], quarantined: null }),
  append: async () => {},
  checkpoint: async () => {},
  erase: async () => {},
  close: async () => {},
});

let opened = 0;
function openHost(policy, store) {
  const start = opened++;
  return parts.PeerHost.open({
    peer: { id: "new", dimension: d, policy, peers: 1 },
    drawSeed: () => Uint8Array.from({ length: 32 }, (_, k) => (start * 17 + k) & 0xff),
    store,
    agreement,
    limits,
    random: Random.seeded(start),
  });
}

async function openPeer(policy, store, bootstrap) {
  const host = await openHost(policy, store);
  const { identity } = host;
  const network = await libp2p({ listen: ["/ip4/127.0.0.1/tcp/0"], bootstrap })({ name: "bench", agreement, identity });
  host.driver.attach(network.link);
  return { host, network };
}

/** Two peers that know each other, with full buffers or records of many. */
async function pairOf(policy, stores) {
  const a = await openPeer(policy, stores[0], []);
  const b = await openPeer(policy, stores[1], a.network.addresses());
  while (!a.network.alive().includes(b.network.self) || !b.network.alive().includes(a.network.self)) await pause(20);
  const random = Random.seeded(1);
  for (const { host } of [a, b]) {
    for (let round = 0; round < slots; round++) {
      await host.observe(armOf(random), random.uniform());
      await host.tick(null);
    }
  }
  return { a, b };
}

function armOf(random) {
  const x = random.normals(new Float64Array(d));
  const norm = Math.hypot(...x) * (1 + 1e-12);
  return x.map((value) => value / norm);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Young garbage of before is nobody's: to make those who ask leaves more behind than what they ask. */
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");
const collect = () => gc({ type: "minor" });

/** Processor time of all threads, in microseconds per call. */
async function timed(calls, call) {
  collect();
  const from = process.cpuUsage();
  for (let k = 0; k < calls; k++) await call(k);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / calls;
}

/**
 * Somebody with records of `RECORDS` others, and those who have none and ask over one connection, each for the first time. They are
 * made before they are timed: to make one takes longer than its exchange, and leaves more behind.
 */
const RECORDS = 24;
async function asking(stores) {
  const policy = kindred();
  const { a, b } = await pairOf(policy, stores);
  const empty = (await openHost(policy, nowhere())).save(true);
  // Late in life one asks for strangers only now and then; whoever starts asks for everybody.
  await b.host.adopt(empty);
  const air = new MemoryNetwork();
  b.host.driver.attach(air.link("b"));
  const random = Random.seeded(2);
  for (let k = 0; k < RECORDS; k++) {
    const other = await openHost(policy, nowhere());
    other.driver.attach(air.link(`${k}`));
    for (let n = 0; n < 2 * d; n++) await other.observe(armOf(random), random.uniform());
    await other.tick(null);
    await b.host.tick(`${k}`, { close: false });
  }
  b.host.driver.attach(b.network.link);
  await a.host.adopt(empty);
  await a.host.tick(b.network.self, { close: false });
  const askers = [];
  for (let k = 0; k < size; k++) {
    const host = await openHost(policy, nowhere());
    host.driver.attach(a.network.link);
    askers.push(host);
  }
  const offer = a.host.peer.learner.offer();
  const held = offer.recordsFor({ ...offer.greeting, peer: "nobody", worst: 2 ** 32, wants: new Map() });
  if (held.length !== RECORDS) throw new Error(`${held.length} records came, not ${RECORDS}`);
  // The records that came are placed by the first choice after it.
  const menu = { count: 1, values: armOf(random) };
  const before = async () => {
    for (const host of askers) await host.adopt(empty);
  };
  return { a, b, askers, before, after: (k) => askers[k].peer.learner.choose(menu, 1, undefined) };
}

/** What ends the waiting: a peer that ticks by itself has one for many ticks, too. */
const { signal } = new AbortController();

/** Peers may ask each other a thousand times at once, and a hundred times a second from then on. */
const AT_ONCE = 900;

/** Exchange and echo in turns, so that both meet the same machine; the median of the windows' ratios. */
async function compare(name, bar, open) {
  const exchanging =
    ({ a, b, askers }) =>
    async (k) => {
      const verdict = await (askers?.[k] ?? a.host).tick(b.network.self, { close: false, signal });
      if (verdict !== "mix") throw new Error(`${name}: the exchange came to ${verdict}`);
    };
  const many = async (pair, count) => {
    const exchange = exchanging(pair);
    for (let done = 0; done < count; done += size) {
      await pair.before?.();
      await timed(size, exchange);
      if (pair.after !== undefined) await timed(size, pair.after);
    }
  };
  // By other peers, because those that are timed may ask only so often.
  for (let done = 0; done < warm; done += AT_ONCE) {
    const pair = await open();
    await many(pair, Math.min(AT_ONCE, warm - done));
    await close(pair);
  }
  const pair = await open();
  const { a, before: prepare, after } = pair;
  const exchange = exchanging(pair);
  const traffic = () => a.network.traffic.sentBytes + a.network.traffic.receivedBytes;
  const before = traffic();
  await many(pair, size);
  const bytes = Math.round((traffic() - before) / size);
  const echo = await echoPair(Math.round(bytes / 2));
  await timed(warm, echo.kept);
  await timed(size, echo.fresh);
  const rows = [];
  for (let window = 0; window < windows; window++) {
    const plain = await timed(size, echo.kept);
    await prepare?.();
    const whole = await timed(size, exchange);
    const learning = after === undefined ? 0 : await timed(size, after);
    const opened = await timed(size, echo.fresh);
    rows.push({ plain, whole, opened, learning, ratio: whole / plain, overFresh: whole / opened });
  }
  await close(pair);
  await echo.close();
  const middle = (field) => rows.map((row) => row[field]).sort((x, y) => x - y)[windows >> 1];
  return {
    name,
    bar,
    bytesEachWay: Math.round(bytes / 2),
    echoMicros: Math.round(middle("plain")),
    freshEchoMicros: Math.round(middle("opened")),
    exchangeMicros: Math.round(middle("whole")),
    ratio: round(middle("ratio")),
    overFreshStream: round(middle("overFresh")),
    ...(after !== undefined && { learningMicros: Math.round(middle("learning")) }),
  };
}

const round = (value) => Math.round(value * 100) / 100;
const results = [];
const POLICIES = [
  ["dcb", dcb({ delay })],
  ["dccb", dccb({ delay })],
];
const isWanted = (name) => name.startsWith(options.only);
async function row(name, bar, open) {
  if (isWanted(name)) results.push(await compare(name, bar, open));
}
for (const [name, policy] of POLICIES) {
  await row(`${name}, validated, no store`, 1.5, () => pairOf(policy, [nowhere(), nowhere()]));
  let places = 0;
  const place = () => folderStore(join(folder, `${name}-${places++}`))();
  await row(`${name}, validated, synced store`, 3, () => pairOf(policy, [place(), place()]));
}
await row(`kindred, ${RECORDS} records, signatures known, no store`, 2, () => asking([nowhere(), nowhere()]));
if (isWanted("a signature")) results.push(await signatures());

/** What a signature costs where it is new: one for each version that a peer publishes, one for each that it hears of. */
async function signatures() {
  const { notary, id } = await parts.identityFrom(new Uint8Array(32).fill(7), agreement);
  // A notary remembers the last 4,096 that it made or found good; what is to be new must be forgotten first.
  const bodies = Array.from({ length: 4_500 }, (_, k) => new Uint8Array(800).fill(k).fill(k >> 8, 400));
  const signed = [];
  const sign = await timed(bodies.length, async () => signed.push(await notary.sign(bodies[signed.length])));
  let at = 0;
  const verify = await timed(200, async () => {
    if (!(await notary.verify(id, bodies[at], signed[at++]))) throw new Error("a good signature was found bad");
  });
  return { name: "a signature", signMicros: Math.round(sign), verifyMicros: Math.round(verify) };
}

async function close({ a, b }) {
  await Promise.all([a, b].map(({ host }) => host.close()));
}

rmSync(folder, { recursive: true, force: true });
if (options.json) console.log(JSON.stringify({ dimension: d, slots, results }, null, 2));
else {
  console.log(`d = ${d}, ${slots} slots; processor time per exchange, median of ${windows} windows of ${size}`);
  for (const it of results) {
    if (it.signMicros !== undefined)
      console.log(`${it.name}: ${it.signMicros} µs to make, ${it.verifyMicros} µs to check`);
    else
      console.log(
        `${it.name}: ${it.bytesEachWay} bytes each way, ${it.exchangeMicros} µs; echo ${it.echoMicros} µs: ` +
          `${it.ratio} times (bar ${it.bar}); an echo on a stream of its own ${it.freshEchoMicros} µs: ${it.overFreshStream} times` +
          (it.learningMicros === undefined ? "" : `; to place what came ${it.learningMicros} µs more`),
      );
  }
}
