/**
 * Processor time of a storm with two builds of the program, by turns in one process, so that whatever else the machine does counts for
 * both: `node bench/storm.mjs BEFORE AFTER [FROM] [SEEDS] [ROUNDS]`, where BEFORE and AFTER are built checkouts. Prints the
 * ratio with its 95 % interval, in how many seeds both did the same to the bit, and how many promises a message costs in the
 * first seed: a figure that does not depend on the machine.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promiseHooks } from "node:v8";

const [before, after, from = "1", seeds = "40", rounds = "60"] = process.argv.slice(2);
const size = { peers: 20, rounds: Number(rounds) };

async function build(root) {
  const load = (file) => import(pathToFileURL(join(resolve(root), "packages/storm/dist/simulation", file)).href);
  const [{ planOf }, { storm }] = [await load("plan/plan.js"), await load("storm.js")];
  return async (seed) => {
    const start = process.cpuUsage();
    const { hash, counts } = await storm(planOf(seed, size));
    const { user, system } = process.cpuUsage(start);
    return { hash, ms: (user + system) / 1000, messages: counts.messages };
  };
}

const builds = [await build(before), await build(after)];
const ratios = [];
const spent = [0, 0];
let same = 0;
// The first two seeds warm both up.
for (let seed = Number(from) - 2; seed < Number(from) + Number(seeds); seed++) {
  const runs = [];
  for (const k of seed % 2 === 0 ? [0, 1] : [1, 0]) runs[k] = await builds[k](seed);
  if (seed < Number(from)) continue;
  ratios.push(Math.log(runs[1].ms / runs[0].ms));
  for (const k of [0, 1]) spent[k] += runs[k].ms / Number(seeds);
  if (runs[0].hash === runs[1].hash) same += 1;
}
const mean = ratios.reduce((sum, it) => sum + it, 0) / ratios.length;
const error = Math.sqrt(ratios.reduce((sum, it) => sum + (it - mean) ** 2, 0) / (ratios.length - 1) / ratios.length);
const [ratio, low, high] = [mean, mean - 1.96 * error, mean + 1.96 * error].map((it) => Math.exp(it).toFixed(3));
console.log(
  `${ratio} of the processor time (${low} to ${high}); ${spent.map((ms) => ms.toFixed(0)).join(" and ")} ms a seed`,
);
console.log(`the same to the bit in ${same} of ${seeds} seeds`);
const costs = [];
for (const run of builds) {
  let promises = 0;
  const stop = promiseHooks.onInit(() => {
    promises += 1;
  });
  const { messages } = await run(Number(from));
  stop();
  costs.push((promises / messages).toFixed(1));
}
console.log(`${costs.join(" and ")} promises a message`);
