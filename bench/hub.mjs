// What a real hub costs, and what happens when one of two dies. Hub and peers are processes of their own, on loopback.
//   node bench/hub.mjs clients  [--peers 1000] [--seconds 60]   WebSocket clients that only meet there: memory and CPU of the hub for each,
//                                                               and what the client over the limit is told
//   node bench/hub.mjs relayed  [--peers 24] [--seconds 60] [--connections 6]
//                                                               peers that reach each other through the hub alone, as tabs do
//   node bench/hub.mjs messages [--times 2000]                  two such peers ask each other: what one request and its answer cost
//   node bench/hub.mjs failover [--peers 100]                   two hubs, one killed: who is lost, and how soon newcomers are in
// All take [--processes 2] for the peers and [--json]. Processor time is the hub's own, so other work on the machine hardly counts.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: "string" },
    seconds: { type: "string", default: "60" },
    processes: { type: "string", default: "2" },
    times: { type: "string", default: "2000" },
    connections: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const [what = "clients"] = positionals;
const PEERS = { clients: 1000, relayed: 24, messages: 2, failover: 100 };
const ROOM = { name: "bench", agreement: "b".repeat(64) };
const MOST_MS = 600_000;

/** Asks a child for something, and waits for its answer. */
let asked = 0;
async function ask(child, question) {
  const id = ++asked;
  child.send({ id, ...question });
  for (;;) {
    const [answer] = await once(child, "message");
    if (answer.id === id) return answer;
  }
}
const start = async (role, settings) => {
  const child = fork(fileURLToPath(import.meta.url), [role], {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.setMaxListeners(0);
  return { child, ...(await ask(child, { kind: "start", ...settings })) };
};
async function until(holds, every = 250) {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > MOST_MS) throw new Error("waited in vain");
    await sleep(every);
  }
  return performance.now() - from;
}

/** A hub, or some peers, in a process of their own. */
async function child(role) {
  const { libp2p, startHub, createPeer, memoryStore, vectors } = await import("@coterie/net");
  const { Random } = await import("@coterie/core");
  const networks = [];
  let hub = null;
  process.on("disconnect", () => process.exit(0));
  const refusals = [];
  const join = async ({ count, hubs, relay, listen, learns, connections }) => {
    for (let k = 0; k < count; k++) {
      const onEvent = (event) => event.kind === "refused" && refusals.push(event.reason);
      const enter = async (room) => {
        const network = await libp2p({ hubs, relay, listen, onEvent, ...(connections && { connections }) })(room);
        networks.push(network);
        return network;
      };
      if (!learns) (await enter(ROOM)).link.serve(async (_, message) => message);
      else {
        const peer = await createPeer({ room: "bench", features: vectors(10), network: enter, store: memoryStore() });
        const random = Random.seeded(k);
        const item = () => Array.from(random.normals(new Float64Array(10)), (value) => value / 10);
        setInterval(() => peer.choose([item(), item()]).reward(random.uniform()), 2000);
      }
      // Not all in one instant: a hub bounds how many come from one address in a second.
      await sleep(20);
    }
  };
  process.on("message", async ({ id, kind, ...more }) => {
    if (kind === "start" && role === "hub") {
      hub = await startHub({
        listen: more.listen,
        limits: more.limits,
        ...(more.key && { privateKey: new Uint8Array(32).fill(more.key) }),
        hubs: more.hubs ?? [],
      });
      process.send({ id, addresses: hub.addresses });
    } else if (kind === "start" || kind === "join") {
      if (more.count > 0) await join(more);
      process.send({ id, selves: networks.map(({ self }) => self) });
    } else if (kind === "request") {
      const [from, to] = networks;
      for (let k = 0; k < more.times; k++) await from.link.request(to.self, new Uint8Array(more.bytes));
      process.send({ id });
    } else if (kind === "hub") {
      // Before the collection that is for the memory alone.
      const { user, system } = process.cpuUsage();
      globalThis.gc();
      const { members, connections, circuits, relayedBytes, overloads } = hub.counts();
      process.send({
        id,
        ms: (user + system) / 1000,
        mb: process.memoryUsage().rss / 1e6,
        at: performance.now(),
        members,
        connections,
        circuits,
        relayedBytes,
        overloads: [...overloads],
      });
    } else process.send({ id, alive: networks.map((network) => [network.self, network.alive()]), refusals });
  });
}

const count = Number(options.peers ?? PEERS[what]);
const WS = ["/ip4/127.0.0.1/tcp/0/ws"];
const crowd = { connections: count, reservations: count, circuits: 100_000, arrivalsPerSecond: 1000, handshakes: 1000 };
const share = (k) => Math.floor((count + k) / Number(options.processes));
const peersIn = (settings) =>
  Promise.all(
    Array.from({ length: Number(options.processes) }, (_, k) => start("peers", { ...settings, count: share(k) })),
  );
const alive = async (groups) =>
  (await Promise.all(groups.map(({ child }) => ask(child, { kind: "alive" })))).flatMap((one) => one.alive);

/** What a hub costs for each peer, over a time. */
async function cost(hub, empty) {
  await sleep(15_000);
  const from = await ask(hub.child, { kind: "hub" });
  await sleep(1000 * Number(options.seconds));
  const to = await ask(hub.child, { kind: "hub" });
  const seconds = (to.at - from.at) / 1000;
  return {
    peers: count,
    mbEach: (to.mb - empty.mb) / count,
    cpuMsPerSecondEach: (to.ms - from.ms) / seconds / count,
    relayedBytesPerSecondEach: (to.relayedBytes - from.relayedBytes) / seconds / count,
    circuits: to.circuits,
  };
}

async function clients() {
  const hub = await start("hub", { listen: WS, limits: crowd });
  const empty = await ask(hub.child, { kind: "hub" });
  const settings = { hubs: hub.addresses, listen: [], relay: false };
  await peersIn(settings);
  await until(async () => (await ask(hub.child, { kind: "hub" })).members === count, 1000);
  const result = await cost(hub, empty);
  const late = await start("peers", { ...settings, count: 1 });
  await until(async () => (await ask(late.child, { kind: "alive" })).refusals.length > 0);
  const { refusals } = await ask(late.child, { kind: "alive" });
  return { ...result, overTheLimit: refusals[0], overloads: (await ask(hub.child, { kind: "hub" })).overloads };
}

async function relayed() {
  const hub = await start("hub", { listen: WS, limits: crowd });
  const empty = await ask(hub.child, { kind: "hub" });
  const connections = options.connections && Number(options.connections);
  const groups = await peersIn({ hubs: hub.addresses, listen: [], relay: true, learns: true, connections });
  const formedMs = await until(async () => (await alive(groups)).every(([, others]) => others.length > count / 2));
  return { ...(await cost(hub, empty)), formedMs };
}

/** A fixed amount of work, so that two builds can be compared however busy the machine is. */
async function messages() {
  const hub = await start("hub", { listen: WS, limits: crowd });
  const peers = await start("peers", { hubs: hub.addresses, listen: [], relay: true, count });
  await until(async () => (await alive([peers])).every(([, others]) => others.length > 0));
  const [times, bytes] = [Number(options.times), 1400];
  await ask(peers.child, { kind: "request", times: 400, bytes });
  const from = await ask(hub.child, { kind: "hub" });
  await ask(peers.child, { kind: "request", times, bytes });
  const to = await ask(hub.child, { kind: "hub" });
  return { times, cpuMsEach: (to.ms - from.ms) / times, bytesEach: (to.relayedBytes - from.relayedBytes) / times };
}

async function failover() {
  const ports = { listen: ["/ip4/127.0.0.1/tcp/0"], limits: { ...crowd, connections: 4 * count } };
  const first = await Promise.all([1, 2].map((key) => start("hub", { ...ports, key })));
  const hubs = first.flatMap(({ addresses }) => addresses);
  for (const { child } of first) child.kill("SIGKILL");
  const again = await Promise.all(
    hubs.map((address, k) => start("hub", { ...ports, key: k + 1, hubs, listen: [address.replace(/\/p2p\/.*/, "")] })),
  );
  // Half of them listen nowhere, and are reached through a hub alone.
  const halves = await Promise.all(
    [[], ["/ip4/127.0.0.1/tcp/0"]].map((listen, k) =>
      start("peers", { hubs, listen, relay: true, count: Math.floor((count + k) / 2) }),
    ),
  );
  const known = async () => new Set((await alive(halves)).flatMap(([, others]) => others)).size;
  const formedMs = await until(async () => (await known()) === count);
  const at = await Promise.all(again.map(async ({ child }) => (await ask(child, { kind: "hub" })).members));
  again[0].child.kill("SIGKILL");
  const newcomers = [];
  for (let k = 0; k < 5; k++) {
    const empty = await start("peers", { count: 0 });
    const from = performance.now();
    await ask(empty.child, { kind: "join", hubs, listen: [], relay: true, count: 1 });
    await until(async () => (await alive([empty])).every(([, others]) => others.length > 0), 50);
    newcomers.push(Math.round(performance.now() - from));
    halves.push(empty);
  }
  if (!options.json) console.log({ formedMs, at, newcomers });
  const movedMs = await until(
    async () => (await ask(again[1].child, { kind: "hub" })).members >= count + newcomers.length,
  );
  const wholeMs = await until(async () => (await known()) === count + newcomers.length);
  return { peers: count, formedMs, membersAtHubs: at, newcomersMs: newcomers, movedMs, wholeMs };
}

if (process.send !== undefined) await child(what);
else {
  const result = await { clients, relayed, messages, failover }[what]();
  console.log(options.json ? JSON.stringify(result) : result);
  process.exit(0);
}
