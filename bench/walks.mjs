// Which modules of net a choice, a reward and an exchange pass through: those of which a function is called meanwhile.
//   node bench/walks.mjs [--build .] [--list]
// `--build`: the root of another checkout that was built, to compare with.
import { Session } from "node:inspector/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: { build: { type: "string", default: "." }, list: { type: "boolean", default: false } },
});
const net = `${pathToFileURL(resolve(options.build)).href}/packages/net/dist/`;
const { createPeer, defineFeatures, libp2p, oneHot } = await import(`${net}index.js`);
const { memoryStore } = await import(`${net}store/memory.js`);
const session = new Session();
session.connect();
await session.post("Profiler.enable");

/** The modules of which a function is called while `work` goes on, each with those functions. */
async function calledIn(work) {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  return result.flatMap(({ url, functions }) => {
    const called = functions.filter(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0);
    if (!url.startsWith(net) || called.length === 0) return [];
    return [`${url.slice(net.length, -".js".length)}: ${called.map(({ functionName }) => functionName).join(" ")}`];
  });
}

function tell(name, modules) {
  console.log(`${name}: ${modules.length} modules`);
  if (options.list) console.log(modules.map((line) => `    ${line}`).join("\n"));
}

const features = defineFeatures({ genre: oneHot(["news", "sport", "arts"]) });
const items = ["news", "sport", "arts"].map((genre) => ({ genre }));

async function enter(seed, bootstrap) {
  const join = libp2p({ listen: ["/ip4/127.0.0.1/tcp/0"], bootstrap, roomKey: "walks-walks-walks" });
  let network;
  const joined = async (room) => {
    network = await join(room);
    return network;
  };
  const peer = await createPeer({ room: "walks", features, tick: false, seed, store: memoryStore(), network: joined });
  for (let k = 0; k < 20; k++) await peer.choose(items).reward(k % 2);
  return { peer, network };
}

const { peer, network } = await enter(1, []);
const other = await enter(2, network.addresses());
let choice;
const chosen = await calledIn(() => {
  choice = peer.choose(items);
});
tell("choice", chosen);
await choice.saved?.();
tell("reward", await calledIn(() => choice.reward(1)));
for (let met = []; met !== null; ) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  let outcome;
  met = await calledIn(async () => {
    outcome = await peer.tick({ partner: other.peer.self });
  });
  await other.peer.tick({ partner: null });
  // A round of gossip beside it is no part of it.
  if (outcome !== "mix" || met.some((line) => / #round\b/.test(line))) continue;
  tell("exchange", met);
  met = null;
}
await Promise.all([peer.close(), other.peer.close()]);
