// A whole room in one process: real peers over libp2p on TCP, each with a store, learning and gossiping.
//   node --expose-gc bench/room.mjs [--peers 50] [--seconds 20] [--memory-store] [--json]
// The figure is the process's resident memory after nearly all views are full and the peers have learnt for a while. Before that
// it prints what Node and the imports alone take. Processor time tells how starved the run was: trust none in which the
// room took much longer to form than it used.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: "50" },
    seconds: { type: "string", default: "20" },
    "memory-store": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const count = Number(options.peers);
const DIMENSION = 10;
const FORMED_MS = 300_000;

const memory = () => {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const mb = (bytes) => Math.round(bytes / 1e5) / 10;
  return { rssMB: mb(rss), heapTotalMB: mb(heapTotal), heapUsedMB: mb(heapUsed), externalMB: mb(external) };
};
const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e4) / 100;
};
const stages = [];
const stage = (name, more = {}) => {
  stages.push({ name, ...memory(), processorSeconds: processorSeconds(), ...more });
  if (!options.json) console.log(stages.at(-1));
};

stage("node");
const { createPeer, folderStore, libp2p, memoryStore, vectors } = await import("@coterie/net");
const { Random } = await import("@coterie/core");
stage("imports");

const folder = mkdtempSync(join(tmpdir(), "coterie-room-"));
const random = Random.seeded(1);
const networks = [];
const peers = [];
for (let k = 0; k < count; k++) {
  const bootstrap = k === 0 ? [] : networks[0].addresses();
  const network = async (room) => {
    networks[k] = await libp2p({ listen: ["/ip4/127.0.0.1/tcp/0"], bootstrap })(room);
    return networks[k];
  };
  const store = options["memory-store"] ? memoryStore() : folderStore(join(folder, String(k)));
  peers.push(await createPeer({ room: "bench", features: vectors(DIMENSION), network, store }));
}
stage("started");

// A peer knows at most as many as its view holds. On a busy machine somebody is always suspected for a moment, so not all at once
// are asked for.
const inView = Math.min(count - 1, 32);
const known = () => networks.reduce((sum, network) => sum + network.alive().length, 0) / (count * inView);
const from = performance.now();
while (known() < 0.95) {
  if (performance.now() - from > FORMED_MS) throw new Error(`the room did not form within ${FORMED_MS} ms`);
  await sleep(50);
}
const ends = () => networks.reduce((sum, { connections }) => sum + connections, 0);
stage("formed", { seconds: Math.round((performance.now() - from) / 100) / 10, connectionEnds: ends() });

const items = () =>
  Array.from({ length: 5 }, () => {
    const item = Array.from(random.normals(new Float64Array(DIMENSION)));
    const norm = Math.hypot(...item);
    return item.map((value) => value / norm);
  });
let most = 0;
for (let second = 0; second < Number(options.seconds); second++) {
  for (const peer of peers) await peer.choose(items()).reward(random.uniform());
  await sleep(1000);
  most = Math.max(most, memory().rssMB);
}
const exchanges = peers.reduce(
  (sum, peer) => sum + Object.values(peer.state().exchanges).reduce((a, b) => a + b, 0),
  0,
);
stage("learnt", { connectionEnds: ends(), exchanges, mostRssMB: most });
await Promise.all(peers.map((peer) => peer.close()));
rmSync(folder, { recursive: true, force: true });
if (options.json)
  console.log(JSON.stringify({ peers: count, store: options["memory-store"] ? "memory" : "folder", stages }));
process.exit(0);
