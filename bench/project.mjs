// What a projection of long embeddings costs and saves: one peer alone, 200 items about 20 topics, each an embedding of 384
// numbers, 20 of them offered in a round; the taste is linear in the embedding, noise 0.3. Regret and processor time a round.
//   node bench/project.mjs [--policy solo] [--to all,128,64,32] [--rounds 300] [--seeds 8]
import { parseArgs } from "node:util";
import { initialPeer, kindred, Random, solo, step } from "@coterie/core";
import { useKernels as takeKernels } from "@coterie/kernels";
import { vector } from "@coterie/net";

const { values: options } = parseArgs({
  options: {
    policy: { type: "string", default: "solo" },
    to: { type: "string", default: "all,128,64,32" },
    rounds: { type: "string", default: "300" },
    seeds: { type: "string", default: "8" },
  },
});
const [rounds, seeds] = [Number(options.rounds), Number(options.seeds)];
const policy = { solo, kindred }[options.policy];
const [NUMBERS, ITEMS, TOPICS, MENU, NOISE] = [384, 200, 20, 20, 0.3];
takeKernels();

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const unit = (x) => {
  const length = Math.hypot(...x);
  return x.map((value) => value / length);
};
const direction = (random) => unit(Array.from(random.normals(new Float64Array(NUMBERS))));

function worldOf(seed) {
  const random = Random.seeded(seed);
  const topics = Array.from({ length: TOPICS }, () => direction(random));
  const items = Array.from({ length: ITEMS }, () => {
    const [topic, own] = [topics[random.below(TOPICS)], direction(random)];
    return unit(topic.map((value, i) => value + 0.7 * own[i]));
  });
  const weights = random.normals(new Float64Array(TOPICS));
  const theta = unit(topics[0].map((_, i) => topics.reduce((sum, topic, k) => sum + weights[k] * topic[i], 0)));
  return { random, items, worth: items.map((item) => dot(item, theta)) };
}

/** Regret of one life, and processor time of a round in milliseconds. */
function live(feature, seed) {
  const { random, items, worth } = worldOf(seed);
  const d = feature.labels.length;
  const values = new Float64Array(ITEMS * d);
  const named = items.map((embedding) => ({ embedding }));
  feature.write(named, values, 0, { name: "embedding", from: 0, stride: d, strict: false });
  const peer = initialPeer({ id: "a", dimension: d, policy: policy(), peers: 1 });
  let regret = 0;
  const from = process.cpuUsage().user;
  for (let round = 0; round < rounds; round++) {
    const menu = Array.from({ length: MENU }, () => random.below(ITEMS));
    const arms = new Float64Array(MENU * d);
    menu.forEach((item, k) => {
      arms.set(values.subarray(item * d, (item + 1) * d), k * d);
    });
    const [{ arm }] = step(peer, { kind: "choose", arms: { count: MENU, values: arms } });
    regret += Math.max(...menu.map((item) => worth[item])) - worth[menu[arm]];
    step(peer, { kind: "reward", reward: worth[menu[arm]] + NOISE * random.normal() });
    step(peer, { kind: "close" });
  }
  return { regret, ms: (process.cpuUsage().user - from) / rounds / 1000 };
}

for (const to of options.to.split(",")) {
  const feature = to === "all" ? vector(NUMBERS) : vector(NUMBERS, { project: Number(to) });
  const lives = Array.from({ length: seeds }, (_, k) => live(feature, k + 1));
  const mean = (of) => lives.reduce((sum, each) => sum + of(each), 0) / seeds;
  const deviation = Math.sqrt(mean(({ regret }) => (regret - mean((each) => each.regret)) ** 2));
  const error = ((2 * deviation) / Math.sqrt(Math.max(1, seeds - 1))).toFixed(1);
  console.log(
    `${to}: regret ${mean(({ regret }) => regret).toFixed(1)} ± ${error}, ${mean(({ ms }) => ms).toFixed(2)} ms a round`,
  );
}
