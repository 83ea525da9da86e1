// The default policy in worlds of the lab, on one thread: interactions a second of the processor, and the whole in seconds.
// Beside another clone of the repository (built) in turn, so that what else the machine does falls on both.
//   node bench/lab.mjs [quick|lastfm|discovery] [--against path/to/other/clone] [--peers N] [--rounds N] [--seeds 1,2]
//   lastfm needs COTERIE_DATA. discovery plays its 20 of each kind.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    peers: { type: "string" },
    rounds: { type: "string" },
    seeds: { type: "string", default: "1" },
    policy: { type: "string", default: '{ "kind": "kindred" }' },
  },
});
const clusters = { kind: "clusters", dimension: 10, arms: 10 };
const WORLDS = {
  quick: [(peers = 40) => ({ ...clusters, peers, clusters: 4, noise: 0.5 }), 1000],
  lastfm: [(peers = 91) => ({ kind: "dataset", dataset: "lastfm", peers, dimension: 25, arms: 25 }), 250],
  discovery: [(peers = 10_000) => ({ ...clusters, peers, clusters: peers / 20, noise: 0.1 }), 60],
};
const name = positionals[0] ?? "quick";
if (WORLDS[name] === undefined) {
  console.error(`There is no world "${name}": ${Object.keys(WORLDS).join(", ")}.`);
  process.exit(2);
}
const [worldOf, usual] = WORLDS[name];
const document = {
  name,
  worlds: [{ name, ...worldOf(options.peers && Number(options.peers)) }],
  policies: [JSON.parse(options.policy)],
  rounds: Number(options.rounds ?? usual),
  seeds: options.seeds.split(",").map(Number),
};

const open = (clone) => import(pathToFileURL(resolve(clone, "packages/lab/dist/index.js")).href);

async function play({ parseExperiment, cellsOf, createWorld, runCell, useKernels: takeKernels }) {
  takeKernels();
  const found = [];
  for (const cell of cellsOf(parseExperiment(document))) {
    const world = await createWorld(cell.world.config, cell.seed, cell.world.rounds);
    const before = process.cpuUsage();
    const { row } = runCell(cell, world, { checkpoints: 1, clock: () => performance.now() / 1000 });
    const { user, system } = process.cpuUsage(before);
    found.push({
      seconds: (user + system) / 1e6,
      regret: row.regret,
      reward: row.reward,
      turns: row.peers * row.rounds,
    });
  }
  return found;
}

const builds = { now: await open(".") };
if (options.against !== undefined) builds.before = await open(options.against);
const totals = {};
for (const [build, lab] of Object.entries(builds)) {
  const found = await play(lab);
  const seconds = found.reduce((sum, each) => sum + each.seconds, 0);
  const turns = found.reduce((sum, each) => sum + each.turns, 0);
  totals[build] = seconds;
  const regrets = found.map(({ regret, reward }) => (regret ?? reward).toFixed(1)).join(", ");
  console.log(
    `${build}: ${seconds.toFixed(1)} s, ${Math.round(turns / seconds)} interactions a second; ${name === "lastfm" ? "reward" : "regret"} ${regrets}`,
  );
}
if (totals.before !== undefined) console.log(`${(totals.before / totals.now).toFixed(2)} times as fast`);
