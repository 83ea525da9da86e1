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
const packages = `${pathToFileURL(resolve(options.build)).href}/packages/`;
const open = (path) => import(`${packages}net/dist/${path}`);
const { createPeer, defineFeatures, libp2p, oneHot } = await open("index.js");
const { memoryStore } = await open("store/memory.js");

const session = new Session();
session.connect();
await session.post("Profiler.enable");

/** The functions of net that are called while `work` goes on, by module. */
async function calledIn(work) {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const modules = new Map();
  for (const { url, functions } of result) {
    if (!url.startsWith(`${packages}net/dist/`)) continue;
    const called = functions.filter(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0);
    const name = url.slice(`${packages}net/dist/`.length, -".js".length);
    if (called.length > 0) modules.set(name, new Set(called.map(({ functionName }) => functionName)));
  }
  return modules;
}

const features = defineFeatures({ genre: oneHot(["news", "sport", "arts"]) });
const items = [{ genre: "news" }, { genre: "sport" }, { genre: "arts" }];

async function enter(seed, bootstrap) {
  const join = libp2p({ listen: ["/ip4/127.0.0.1/tcp/0"], bootstrap, roomKey: "walks-walks-walks" });
  let network;
  const peer = await createPeer({
    room: "walks",
    features,
    tick: false,
    seed,
    store: memoryStore(),
    network: async (room) => {
      network = await join(room);
      return network;
    },
  });
  return { peer, network };
}

function tell(name, modules) {
  console.log(`${name}: ${modules.size} modules`);
  if (options.list) for (const [module, called] of modules) console.log(`    ${module}: ${[...called].join(" ")}`);
}

const a = await enter(1, []);
const b = await enter(2, a.network.addresses());
let choice;
// Twice: what happens only once is no part of the walk.
for (const first of [true, false]) {
  const chosen = await calledIn(() => {
    choice = a.peer.choose(items);
  });
  await choice.saved?.();
  const rewarded = await calledIn(() => choice.reward(1));
  if (first) continue;
  tell("choice", chosen);
  tell("reward", rewarded);
}
for (const { peer } of [a, b]) for (let k = 0; k < 20; k++) await peer.choose(items).reward(k % 2);
const gossips = (modules) => [...modules].some(([name, called]) => /gossip|driver/.test(name) && called.has("#round"));
for (let tries = 0; ; tries++) {
  if (tries > 200) throw new Error("no exchange without a round of gossip beside it");
  await new Promise((resolve) => setTimeout(resolve, 100));
  let outcome;
  const met = await calledIn(async () => {
    outcome = await a.peer.tick({ partner: b.peer.self });
  });
  await b.peer.tick({ partner: null });
  if (outcome !== "mix" || gossips(met)) continue;
  tell("exchange", met);
  break;
}
await Promise.all([a.peer.close(), b.peer.close()]);
