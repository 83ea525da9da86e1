// What a projection of long embeddings costs and saves: a catalogue of 200 items, 20 of them offered in a round, each an
// embedding that an app declares as vector(384); rewards linear in the embedding, noise 0.3. In every world rewards of items
// differ equally (standard deviation 0.18). Peers meet in lockstep, as in a simulation; with one tie the tastes are of two kinds.
// Regret a peer, and of each projection beside all numbers, with the same worlds and the same noise for all; processor time a round.
//   node bench/project.mjs [--world topics] [--policy solo] [--peers 1] [--to all,128,64,32] [--rounds 300] [--seeds 8] [--first 1] [--numbers 384] [--items 200]
//   topics: 20 topics and a taste for topics. isotropic: items and taste use all directions alike. decaying: direction k of an
//   item has a variance of 1/k, a taste uses all alike. rank: isotropic items, all tastes lie in the same 8 directions.
import { parseArgs } from "node:util";
import { createFleet, parsePolicy, Random } from "@coterie/core";
import { useKernels as takeKernels } from "@coterie/kernels";
import { defineFeatures, vector } from "@coterie/net";
import { sphere } from "./sphere.mjs";

const { values: options } = parseArgs({
  options: {
    world: { type: "string", default: "topics" },
    policy: { type: "string", default: "solo" },
    peers: { type: "string", default: "1" },
    to: { type: "string", default: "all,128,64,32" },
    rounds: { type: "string", default: "300" },
    seeds: { type: "string", default: "8" },
    first: { type: "string", default: "1" },
    numbers: { type: "string", default: "384" },
    items: { type: "string", default: "200" },
  },
});
const whole = (name) => Number(options[name]);
const [peers, rounds, seeds, first, numbers, items] = ["peers", "rounds", "seeds", "first", "numbers", "items"].map(
  whole,
);
const policy = parsePolicy("policy", { kind: options.policy });
const [TOPICS, OWN, RANK, MENU, NOISE, APART] = [20, 0.7, 8, 20, 0.3, 0.18];
takeKernels();

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const unit = (x) => {
  const length = Math.hypot(...x);
  return x.map((value) => value / length);
};
const rowsOf = (values) =>
  Array.from({ length: values.length / numbers }, (_, k) => values.subarray(k * numbers, (k + 1) * numbers));
const directions = (random, count) => rowsOf(sphere(random, count, numbers));
/** Σ w_k v_k with standard normal w. */
const among = (random, vectors) => {
  const weights = random.normals(new Float64Array(vectors.length));
  return unit(vectors[0].map((_, i) => vectors.reduce((sum, each, k) => sum + weights[k] * each[i], 0)));
};

/** Embeddings of items, and two tastes. */
const WORLDS = {
  topics(random) {
    const topics = directions(random, TOPICS);
    const embeddings = directions(random, items).map((own) => {
      const topic = topics[random.below(TOPICS)];
      return unit(own.map((value, i) => topic[i] + OWN * value));
    });
    return { embeddings, tastes: [among(random, topics), among(random, topics)] };
  },
  isotropic: (random) => ({ embeddings: directions(random, items), tastes: directions(random, 2) }),
  decaying: (random) => ({
    embeddings: directions(random, items).map((x) => unit(x.map((value, k) => value / Math.sqrt(k + 1)))),
    tastes: directions(random, 2),
  }),
  rank(random) {
    const shared = directions(random, RANK);
    return { embeddings: directions(random, items), tastes: [among(random, shared), among(random, shared)] };
  },
};

/** What each item is worth to peers of each taste, and what they are offered and paid: the same for every projection. */
function worldOf(seed) {
  const random = Random.seeded(seed);
  const { embeddings, tastes } = WORLDS[options.world](random);
  const worth = tastes.map((taste) => {
    const means = embeddings.map((item) => dot(item, taste));
    const mean = means.reduce((sum, value) => sum + value, 0) / items;
    const deviation = Math.sqrt(means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / items);
    return means.map((value) => (value * APART) / deviation);
  });
  return { embeddings, worth, draws: random.fork("draws"), seed };
}

/** Mean regret of a peer, and processor time of its round in milliseconds. */
function live(features, { embeddings, worth, draws, seed }) {
  const d = features.dimension;
  const values = new Float64Array(items * d);
  features.encodeAll(
    embeddings.map((embedding) => ({ embedding })),
    values,
  );
  const clusters = Int32Array.from({ length: peers }, (_, peer) => peer % 2);
  const random = Random.seeded(seed).fork("policy");
  const fleet = createFleet({ policy, dimension: d, peers, random, clusters });
  let regret = 0;
  const from = process.cpuUsage().user;
  for (let round = 0; round < rounds; round++) {
    const drawn = draws.fork(round);
    const menus = Array.from({ length: peers }, () => Array.from({ length: MENU }, () => drawn.below(items)));
    const noise = drawn.normals(new Float64Array(peers));
    fleet.round({
      arms(peer) {
        const arms = new Float64Array(MENU * d);
        for (const [k, item] of menus[peer].entries()) arms.set(values.subarray(item * d, (item + 1) * d), k * d);
        return { count: MENU, values: arms };
      },
      pay(peer, arm) {
        const mine = menus[peer].map((item) => worth[clusters[peer]][item]);
        regret += (Math.max(...mine) - mine[arm]) / peers;
        return mine[arm] + NOISE * noise[peer];
      },
    });
  }
  return { regret, ms: (process.cpuUsage().user - from) / rounds / peers / 1000 };
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
/** Two standard errors. */
const error = (list) => {
  const middle = mean(list);
  return (
    2 *
    Math.sqrt(list.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, list.length - 1) / list.length)
  );
};

const worlds = Array.from({ length: seeds }, (_, k) => worldOf(first + k));
let all = null;
for (const to of options.to.split(",")) {
  const project = to === "all" ? false : Number(to);
  const features = defineFeatures({ embedding: vector(numbers, { project }) });
  const lives = worlds.map((world) => live(features, world));
  const regrets = lives.map(({ regret }) => regret);
  if (to === "all") all = regrets;
  const beside =
    all === null || to === "all"
      ? ""
      : `, ${(mean(regrets) / mean(all)).toFixed(2)} ± ${(error(regrets.map((each, k) => each - all[k])) / mean(all)).toFixed(2)} times that with all`;
  console.log(
    `${to}: regret ${mean(regrets).toFixed(1)} ± ${error(regrets).toFixed(1)}${beside}; ${mean(lives.map(({ ms }) => ms)).toFixed(2)} ms a round [${regrets.map((each) => each.toFixed(1)).join(" ")}]`,
  );
}
