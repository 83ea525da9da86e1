// Choosing through the SDK beside the core's own choice, and a peer's start up to its first exchange.
//   node bench/choose.mjs [--dimension 24] [--items 20] [--windows 30] [--json]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { initialPeer as createCorePeer, dccb, kindred, Random, solo, step } from "@coterie/core";
import { createPeer, libp2p, vector, vectors } from "@coterie/net";
import { folderStore } from "@coterie/net/store";

const { values: options } = parseArgs({
  options: {
    dimension: { type: "string", default: "24" },
    items: { type: "string", default: "20" },
    windows: { type: "string", default: "30" },
    json: { type: "boolean", default: false },
  },
});
const [dimension, items, windows] = [options.dimension, options.items, options.windows].map(Number);
const CHOICES = 200;

/** The least of many windows, in microseconds a choice: the one least disturbed by the rest of the machine. */
async function least(calls) {
  const found = calls.map(() => Infinity);
  for (let window = 0; window < windows; window++) {
    for (const [k, call] of calls.entries()) {
      const from = performance.now();
      for (let n = 0; n < CHOICES; n++) call();
      found[k] = Math.min(found[k], ((performance.now() - from) * 1000) / CHOICES);
      // What follows a choice, its record for the disk, comes after it and not in its way.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return found;
}

/** Peers of the SDK, and beside each a peer of the core that has lived the same life: the same state, the same arms. */
async function choosing(name, policy) {
  const random = Random.seeded(1);
  const draw = () => Array.from({ length: dimension }, () => (random.uniform() - 0.5) / Math.sqrt(dimension));
  const raw = Array.from({ length: items }, draw);
  const named = raw.map((embedding) => ({ embedding }));
  const pairs = [];
  for (const [features, offered] of [
    [vectors(dimension), raw],
    [{ embedding: vector(dimension) }, named],
  ]) {
    const peer = await createPeer({ room: "r", features, policy, tick: false });
    const { dimension: d } = peer.features;
    const values = new Float64Array(items * d);
    peer.features.encodeAll(offered, values);
    const core = createCorePeer({ id: "core", dimension: d, policy, peers: 1 });
    for (let k = 0; k < 60; k++) {
      const [at, reward] = [k % items, (k % 7) / 7];
      step(core, { kind: "observe", arm: values.slice(at * d, (at + 1) * d), reward });
      step(core, { kind: "close" });
      await peer.observe(offered, at, reward);
      await peer.tick();
    }
    pairs.push({
      peer,
      calls: [() => step(core, { kind: "choose", arms: { count: items, values } }), () => peer.choose(offered)],
    });
  }
  const [core, plain, coreToo, whole] = await least(pairs.flatMap(({ calls }) => calls));
  await Promise.all(pairs.map(({ peer }) => peer.close()));
  const round = (value) => Math.round(value * 100) / 100;
  return { name, coreMicros: round(core), vectors: round(plain / core), features: round(whole / coreToo), bar: 2 };
}

/** From the call of `createPeer`, with an empty store on the disk, to the end of the first exchange; default options. */
async function starting() {
  const folder = mkdtempSync(join(tmpdir(), "coterie-bench-"));
  const listen = ["/ip4/127.0.0.1/tcp/0"];
  let addresses = [];
  const meetable = (bootstrap) => async (room) => {
    const network = await libp2p({ listen, bootstrap })(room);
    if (addresses.length === 0) addresses = network.addresses();
    return network;
  };
  const open = (name, onEvent) =>
    createPeer({
      room: "start",
      features: vectors(4),
      network: meetable(addresses),
      store: folderStore(join(folder, name)),
      onEvent,
    });
  const first = await open("first", () => {});
  const times = [];
  for (let k = 0; k < 5; k++) {
    const from = performance.now();
    const met = Promise.withResolvers();
    const peer = await open(`peer-${k}`, (event) => event.kind === "exchange" && met.resolve());
    await met.promise;
    times.push(performance.now() - from);
    await peer.close();
  }
  await first.close();
  rmSync(folder, { recursive: true, force: true });
  times.sort((a, b) => a - b);
  return { startToFirstExchangeMs: times.map(Math.round), medianMs: Math.round(times[2]), bar: 1000 };
}

const results = [];
for (const [name, policy] of [
  ["solo", solo()],
  ["dccb", dccb()],
  ["kindred", kindred()],
]) {
  results.push(await choosing(name, policy));
}
const start = await starting();
if (options.json) console.log(JSON.stringify({ dimension, items, results, start }, null, 2));
else {
  for (const { name, coreMicros, vectors: raw, features, bar } of results) {
    console.log(
      `${name}, d = ${dimension}, ${items} items: core ${coreMicros} µs; through the SDK with vectors ${raw} times that, ` +
        `with features ${features} times (bar ${bar})`,
    );
  }
  console.log(`start to first exchange: ${start.startToFirstExchangeMs.join(", ")} ms (bar ${start.bar})`);
}
process.exit(0);
