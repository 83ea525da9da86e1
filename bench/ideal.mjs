/**
 * What can be had at all in the worlds of `coterie run life`: regret of an ideal centre (ideal/centre.mjs), with the same seeds:
 *
 *   node bench/ideal.mjs "4 clusters" "20 items, clicks" ... [--seeds 441-456] [--beside kindred,solo,oracle] [--rows]
 *
 * The centre sees what every peer has seen, at once. It is told how tastes are drawn, how rewards vary, and how many clusters there
 * are; who is alike it draws many times (ideal/chain.mjs), and averages. What it is told, and sees, can be taken from it piece by piece:
 *
 *   --groups known     dp: it draws how many clusters there are, too; told: the true ones; none: everybody alone; one: all together
 *   --explore 0.5      standard deviations added to a mean; --choice thompson draws θ instead
 *   --chains 4 --sweeps 1   how many samplers, and how often each places every peer in a round
 *   --truth            samplers begin with the true clusters: a sampler that is good ends where it does otherwise
 *   --prior 4          tastes are taken to vary so many times as much as they do
 *   --base false       the base rate of clicks is not told
 *   --weights false    all clicks are taken to vary alike, not as the chance expected says
 *   --growth 1.1       of others only versions count that have grown by this factor since the one before
 *   --doubt            being like nobody weighs as much for a peer as in kindred (with --groups dp)
 */
import { parseArgs } from "node:util";
import { parsePolicy } from "@coterie/core";
import { builtIns, cellsOf, createWorld, parseExperiment, runCell, useKernels as takeKernels } from "@coterie/lab";
import { Ideal } from "./ideal/centre.mjs";

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "441-456" },
    beside: { type: "string", default: "" },
    rows: { type: "boolean", default: false },
    groups: { type: "string", default: "known" },
    explore: { type: "string", default: "0.5" },
    choice: { type: "string", default: "optimistic" },
    chains: { type: "string", default: "4" },
    sweeps: { type: "string", default: "1" },
    truth: { type: "boolean", default: false },
    prior: { type: "string", default: "1" },
    base: { type: "string", default: "true" },
    weights: { type: "string", default: "true" },
    growth: { type: "string", default: "1" },
    doubt: { type: "boolean", default: false },
  },
});
const settings = {
  ...options,
  explore: Number(options.explore),
  chains: Number(options.chains),
  sweeps: Number(options.sweeps),
  prior: Number(options.prior),
  base: options.base === "true",
  weights: options.weights === "true",
  growth: Number(options.growth),
};

const [from, to = from] = options.seeds.split("-").map(Number);
if (!Number.isInteger(from) || !Number.isInteger(to) || to < from) {
  console.error(`--seeds must be a number or a range such as 441-480, but is ${options.seeds}.`);
  process.exit(2);
}
const seeds = Array.from({ length: to - from + 1 }, (_, k) => from + k);
const others = options.beside.split(",").filter(Boolean);
const sum = (list) => list.reduce((all, value) => all + value, 0);

/** Ratio of the sums over seeds, ± two standard errors. */
function ratio(over, under) {
  const whole = sum(over) / sum(under);
  const squares = sum(over.map((value, k) => (value - whole * under[k]) ** 2));
  const error = Math.sqrt((squares * over.length) / Math.max(1, over.length - 1)) / sum(under);
  return `${whole.toFixed(3)} ± ${(2 * error).toFixed(3)}`;
}

/** Each player in each seed: its regrets, by name. */
async function play(world) {
  const document = { name: world.name, worlds: [world], policies: [{ kind: "solo" }], rounds: life.rounds, seeds };
  const regrets = { ideal: [], ...Object.fromEntries(others.map((kind) => [kind, []])) };
  for (const cell of cellsOf(parseExperiment(document))) {
    const { config, rounds } = cell.world;
    for (const [name, found] of Object.entries(regrets)) {
      const createCentre = (...shape) => new Ideal(...shape, config, settings);
      const policy = name === "ideal" ? { kind: name, options: {}, createCentre } : parsePolicy(name, { kind: name });
      const drawn = await createWorld(config, cell.seed, rounds);
      found.push(runCell({ ...cell, policy: { name, policy } }, drawn, { checkpoints: 1, clock }).row.regret);
    }
    const row = Object.entries(regrets).map(([name, found]) => `${name} ${found.at(-1).toFixed(1)}`);
    if (options.rows) console.log(`${cell.seed}: ${row.join(", ")}`);
  }
  return regrets;
}

const clock = () => performance.now() / 1000;
const life = builtIns.find(({ name }) => name === "life").document;
takeKernels();
for (const name of names) {
  const found = life.worlds.find((world) => world.name === name);
  if (found === undefined) {
    console.error(`There is no world "${name}": ${life.worlds.map((world) => world.name).join("; ")}.`);
    process.exit(2);
  }
  const { policies: _, ...world } = found;
  const regrets = await play(world);
  const means = Object.entries(regrets).map(([player, list]) => `${player} ${(sum(list) / seeds.length).toFixed(1)}`);
  console.log(`${name}, ${seeds.length} seeds: ${means.join(", ")}`);
  for (const under of others) console.log(`  ideal over ${under}: ${ratio(regrets.ideal, regrets[under])}`);
}
