// What a wrong size of the room does to policies that learn by it: dcb and dccb count a promoted slot once for every member, and dcb
// waits longer the more there are. Peers in lockstep, all of whom take the room for `factor` times its size.
//   node bench/size.mjs [--peers 32] [--rounds 200] [--seeds 2]
// The figure is the mean regret of a peer, and in brackets the regret over that with the right size.
import { parseArgs } from "node:util";
import { createFleet, dcb, dccb, Random } from "@coterie/core";

const { values: options } = parseArgs({
  options: {
    peers: { type: "string", default: "32" },
    rounds: { type: "string", default: "200" },
    seeds: { type: "string", default: "2" },
  },
});
const [D, ARMS, NOISE] = [5, 10, 0.5];
const FACTORS = [0.1, 1 / 3, 1, 3, 10];
const peers = Number(options.peers);
const rounds = Number(options.rounds);
const radius = { kind: "practical", alpha: 0.3 };

/** A policy whose peers believe in another number of peers. */
const believing = (policy, factor) => ({
  ...policy,
  create: (dimension, count, self) => policy.create(dimension, Math.max(1, Math.round(factor * count)), self),
});

function direction(random) {
  const vector = Array.from({ length: D }, () => random.normal());
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

/** The mean regret of a peer where there are so many tastes. */
function regret(policy, tastes, seed) {
  const world = Random.seeded(seed).fork("world");
  const thetas = Array.from({ length: tastes }, () => direction(world));
  const fleet = createFleet({ policy, dimension: D, peers, random: Random.seeded(seed).fork("policy") });
  const arms = { count: ARMS, values: new Float64Array(ARMS * D) };
  let lost = 0;
  for (let round = 0; round < rounds; round++) {
    const means = [];
    const offered = {
      arms: (peer) => {
        const draws = world.fork(round).fork(peer);
        for (let k = 0; k < ARMS; k++) arms.values.set(direction(draws), k * D);
        const theta = thetas[peer % tastes];
        means[peer] = Array.from({ length: ARMS }, (_, k) =>
          theta.reduce((sum, x, i) => sum + x * arms.values[k * D + i], 0),
        );
        return arms;
      },
      pay: (peer, arm) => {
        lost += Math.max(...means[peer]) - means[peer][arm];
        return means[peer][arm] + NOISE * world.fork("noise").fork(round).fork(peer).normal();
      },
    };
    fleet.round(offered);
  }
  return lost / peers;
}

const mean = (policy, tastes) => {
  const all = Array.from({ length: Number(options.seeds) }, (_, k) => regret(policy, tastes, k + 1));
  return all.reduce((sum, each) => sum + each, 0) / all.length;
};
for (const [name, policy, tastes] of [
  ["dcb, one taste", dcb({ radius }), 1],
  ["dccb, one taste", dccb({ radius }), 1],
  ["dccb, four tastes", dccb({ radius }), 4],
]) {
  const right = mean(policy, tastes);
  const cells = FACTORS.map((factor) => {
    const figure = factor === 1 ? right : mean(believing(policy, factor), tastes);
    return `${figure.toFixed(1)} (${(figure / right).toFixed(2)})`;
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
