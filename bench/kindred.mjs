// The default policy, per peer and round: one peer among many whose records reach it, in its first rounds. It chooses,
// observes, lends to and learns from two partners a round, and closes. Processor time of this thread, the median of several
// lives; beside another build of core in turn, so that what else the machine does falls on both.
//   node bench/kindred.mjs [--against path/to/other/core/dist] [--dimension 25] [--peers 140] [--clusters 7] [--rounds 100]
//                          [--lives 5] [--plain] [--json]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { sphere } from "./sphere.mjs";

const { values: options } = parseArgs({
  options: {
    against: { type: "string" },
    dimension: { type: "string", default: "25" },
    peers: { type: "string", default: "140" },
    clusters: { type: "string", default: "7" },
    arms: { type: "string", default: "10" },
    noise: { type: "string", default: "0.5" },
    rounds: { type: "string", default: "100" },
    lives: { type: "string", default: "5" },
    plain: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [dimension, peers, clusters, arms, rounds, lives] = [
  options.dimension,
  options.peers,
  options.clusters,
  options.arms,
  options.rounds,
  options.lives,
].map(Number);
const noise = Number(options.noise);
/** As `kindred` publishes today: when observations have grown by a twentieth. */
const GROWTH = 1.05;
/** And what is news of those who are not kin: half an octave more. */
const NEWS = Math.SQRT2;
const BUDGET = 32;

async function open(folder) {
  const at = (path) => import(pathToFileURL(resolve(folder, path)).href);
  const [core, { publish, calledBy }, greetings, { addObservation, slotSize }] = await Promise.all([
    at("index.js"),
    at("kindred/record.js"),
    at("kindred/greeting.js"),
    at("numbers/packed.js"),
  ]);
  const { recordsFor } = greetings;
  // Builds of before 19 November 2026 told counts in other steps, and called a record by one hash.
  const { countCode } = await at("kindred/countCode.js").catch(() => greetings);
  const wantOf = (record) => [calledBy?.(record, 0) ?? record.hash, countCode(record.count * NEWS)];
  // Builds of before 19 November 2026 have no shelf.
  const { Shelf } = await at("kindred/shelf.js").catch(() => ({ Shelf: null }));
  // Builds of before 20 November 2026 have no lists of wants; a map was what came from another peer then.
  const { WantList } = await at("kindred/wantList.js").catch(() => ({ WantList: null }));
  // Each build takes its own kernels.
  const kernels = options.plain ? {} : await at("../../kernels/dist/index.js").catch(() => ({}));
  const { useKernels: takeKernels } = kernels;
  takeKernels?.();
  return {
    ...core,
    publish,
    recordsFor,
    wantOf,
    addObservation,
    slotSize,
    shelved: Shelf?.of ?? ((records) => records),
    wanted: WantList?.of ?? ((wants) => wants),
  };
}

const dot = (a, at, b, from) => {
  let sum = 0;
  for (let i = 0; i < dimension; i++) sum += a[at + i] * b[from + i];
  return sum;
};

/** What everybody sees in each round, the same for every build: the others try arms at random. */
function worldOf({ Random, addObservation, slotSize }, seed) {
  const random = Random.seeded(seed);
  const thetas = sphere(random, clusters, dimension);
  const sums = Array.from({ length: peers }, () => ({
    slot: new Float64Array(slotSize(dimension)),
    squares: 0,
    count: 0,
    published: 0,
  }));
  const news = Array.from({ length: rounds }, () =>
    sums.flatMap((own, peer) => {
      const x = sphere(random, 1, dimension);
      const reward = dot(x, 0, thetas, (peer % clusters) * dimension) + noise * random.normal();
      addObservation(own.slot, 0, dimension, x, 0, reward);
      own.squares += reward * reward;
      own.count += 1;
      if (own.published > 0 && own.count < own.published * GROWTH) return [];
      own.published = own.count;
      return [{ peer, slot: own.slot.slice(), squares: own.squares, count: own.count }];
    }),
  );
  const menus = Array.from({ length: rounds }, () => sphere(random, arms, dimension));
  const noises = random.normals(new Float64Array(rounds)).map((value) => noise * value);
  const partners = Array.from({ length: 2 * rounds }, () => 1 + random.below(peers - 1));
  return { thetas, news, menus, noises, partners };
}

/** What partners lend in each round: of everybody the newest that was published. */
function partnersOf({ publish, recordsFor, wantOf, shelved, wanted }, { news, partners }) {
  const known = new Map();
  return news.map((published, round) => {
    for (const { peer, ...sums } of published) {
      if (peer !== 0) known.set(peer, publish(`p${peer}`, (known.get(peer)?.version ?? 0) + 1, sums));
    }
    const others = [...known.values()];
    const wants = wanted(new Map(others.map(wantOf)));
    return [2 * round, 2 * round + 1].map((k) => {
      const greeting = {
        peer: `p${partners[k]}`,
        due: false,
        worst: 0xffffffff,
        least: 0,
        salt: 0,
        wants,
        profile: null,
      };
      const own = known.get(partners[k]) ?? null;
      const shelf = shelved(others.filter((record) => record !== own));
      const lends = (to) => recordsFor(to, own, shelf, new Set(), BUDGET);
      return { policy: "kindred", dimension, greeting, recordsFor: lends };
    });
  });
}

/** A life of peer 0, in microseconds of the processor a round; and what it earned, to see that it lived as it should. */
function live(build, world) {
  const offers = partnersOf(build, world);
  const learner = build.kindred().create(dimension, peers, "p0");
  let earned = 0;
  const from = process.cpuUsage();
  for (let round = 1; round <= rounds; round++) {
    const values = world.menus[round - 1];
    const arm = learner.choose({ count: arms, values }, round, undefined);
    const mean = dot(values, arm * dimension, world.thetas, 0);
    learner.observe(values, arm * dimension, mean + world.noises[round - 1]);
    earned += mean;
    for (const offer of offers[round - 1]) {
      if (learner.judge(offer.greeting.peer, offer) !== "mix") continue;
      learner.offer().recordsFor(offer.greeting);
      learner.mix(offer);
    }
    learner.settle();
    learner.close(round);
  }
  return { micros: process.cpuUsage(from).user / rounds, earned };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const builds = { now: await open("packages/core/dist") };
if (options.against !== undefined) builds.before = await open(options.against);
const found = Object.fromEntries(Object.keys(builds).map((name) => [name, []]));
// The first life is for the compiler.
for (let life = 0; life <= lives; life++) {
  const world = worldOf(builds.now, life);
  for (const [name, build] of Object.entries(builds)) {
    const lived = live(build, world);
    if (life > 0) found[name].push(lived);
  }
}
const result = Object.fromEntries(
  Object.entries(found).map(([name, all]) => [
    name,
    { micros: Math.round(median(all.map(({ micros }) => micros))), earned: all.map(({ earned }) => earned) },
  ]),
);
const ratios = found.before?.map(({ micros }, k) => micros / found.now[k].micros);
if (options.json) console.log(JSON.stringify({ dimension, peers, rounds, ...result, ratios }, null, 2));
else {
  for (const [name, { micros, earned }] of Object.entries(result)) {
    console.log(`${name}: ${micros} µs per round; earned ${earned.map((each) => each.toFixed(2)).join(", ")}`);
  }
  if (ratios !== undefined) {
    console.log(`${median(ratios).toFixed(2)} times as fast (${ratios.map((each) => each.toFixed(2)).join(", ")})`);
  }
}
