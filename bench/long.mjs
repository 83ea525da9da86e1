// A round of kindred where vectors are long: one peer alone, 20 arms, noise 0.3. Processor time a round, with kernels; beside
// another clone of the repository (built) in turn.
//   node bench/long.mjs [--dimension 384] [--rounds 16] [--lives 2] [--against path/to/other/clone]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { sphere } from "./sphere.mjs";

const { values: options } = parseArgs({
  options: {
    dimension: { type: "string", default: "384" },
    rounds: { type: "string", default: "16" },
    lives: { type: "string", default: "2" },
    against: { type: "string" },
  },
});
const [d, rounds, lives] = [options.dimension, options.rounds, options.lives].map(Number);
const [ARMS, NOISE] = [20, 0.3];

async function open(clone) {
  const at = (path) => import(pathToFileURL(resolve(clone, "packages", path)).href);
  const [core, { useKernels: takeKernels }] = await Promise.all([
    at("core/dist/index.js"),
    at("kernels/dist/index.js"),
  ]);
  takeKernels();
  return core;
}

/** Milliseconds of each round. */
function live({ kindred, Random }, seed) {
  const random = Random.seeded(seed);
  const theta = sphere(random, 1, d);
  const learner = kindred().create(d, 1, "alone");
  return Array.from({ length: rounds }, (_, k) => {
    const values = sphere(random, ARMS, d);
    const before = process.cpuUsage().user;
    const arm = learner.choose({ count: ARMS, values }, k + 1, undefined);
    const mean = theta.reduce((sum, value, i) => sum + value * values[arm * d + i], 0);
    learner.observe(values, arm * d, mean + NOISE * random.normal());
    learner.settle();
    learner.close(k + 1);
    return (process.cpuUsage().user - before) / 1000;
  });
}

const builds = { now: await open(".") };
if (options.against !== undefined) builds.before = await open(options.against);
const found = Object.fromEntries(Object.keys(builds).map((name) => [name, []]));
for (let life = 1; life <= lives; life++) {
  for (const [name, build] of Object.entries(builds)) found[name].push(...live(build, life));
}
const mean = (times) => times.reduce((sum, time) => sum + time, 0) / times.length;
for (const [name, times] of Object.entries(found)) {
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `${name}: ${mean(times).toFixed(0)} ms a round, median ${sorted[times.length >> 1].toFixed(0)}, longest ${sorted.at(-1).toFixed(0)}`,
  );
}
if (found.before !== undefined) console.log(`${(mean(found.before) / mean(found.now)).toFixed(2)} times as fast`);
