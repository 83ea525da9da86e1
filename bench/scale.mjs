// Processor time and memory of whole rounds from a thousand peers to a million: world, fleet and the random policy beside
// it, as a run of `coterie run scale` plays them; a process for each size.
// With --policy kindred peers hold 8 records instead of two slots.
//   node bench/scale.mjs [--policy dcb] [--peers 1000,10000,100000,1000000] [--seconds 3] [--json]
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parsePolicy, Random } from "@coterie/core";
import { createLabFleet, createWorld, RandomPicks } from "@coterie/lab";

const { values: options } = parseArgs({
  options: {
    policy: { type: "string", default: "dcb" },
    peers: { type: "string" },
    seconds: { type: "string", default: "3" },
    one: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

/** As in `coterie run scale` and `coterie run scale-kindred`. */
const POLICIES = {
  dcb: { kind: "dcb", buffer: "epoch", delay: { factor: 1, networkExponent: 1 } },
  kindred: { kind: "kindred", view: 8, budget: 4 },
};
const SIZES = { dcb: "1000,10000,100000,1000000", kindred: "1000,3000,10000" };
const [given, sizes] = [POLICIES[options.policy], options.peers ?? SIZES[options.policy]];
if (given === undefined) throw new Error(`--policy must be one of ${Object.keys(POLICIES).join(", ")}`);

const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Rounds of one size until `seconds` of processor time are used up; at least two. */
async function measure(peers, seconds) {
  const [dimension, arms] = [10, 10];
  const world = await createWorld({ kind: "clusters", peers, clusters: 1, dimension, arms, noise: 0.5 }, 1);
  const policy = parsePolicy("policy", given);
  const shape = { dimension, peers, arms, rounds: 120, random: Random.seeded(1), clusters: null, churn: false };
  const players = [createLabFleet("auto", { policy, ...shape }), new RandomPicks(peers, arms, Random.seeded(1))];
  const play = () => {
    world.advance();
    for (const player of players) player.round(world);
  };
  play();
  const from = processorSeconds();
  let rounds = 0;
  for (; rounds < 120 && (rounds < 2 || processorSeconds() - from < seconds); rounds++) play();
  const bytes = process.resourceUsage().maxRSS * 1024;
  return { peers, rounds, secondsPerRound: (processorSeconds() - from) / rounds, bytes, bytesPerPeer: bytes / peers };
}

/** The power b of y = a·x^b, by least squares of logarithms. */
function exponent(rows, of) {
  const [xs, ys] = [rows.map(({ peers }) => Math.log(peers)), rows.map((row) => Math.log(of(row)))];
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [x, y] = [mean(xs), mean(ys)];
  const over = xs.reduce((sum, value, k) => sum + (value - x) * (ys[k] - y), 0);
  return over / xs.reduce((sum, value) => sum + (value - x) ** 2, 0);
}

if (options.one !== undefined) console.log(JSON.stringify(await measure(Number(options.one), Number(options.seconds))));
else {
  const rows = sizes.split(",").map((peers) => {
    const args = [
      fileURLToPath(import.meta.url),
      "--one",
      peers,
      "--seconds",
      options.seconds,
      "--policy",
      options.policy,
    ];
    return JSON.parse(
      spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).stdout,
    );
  });
  const powers = { seconds: exponent(rows, (row) => row.secondsPerRound), bytes: exponent(rows, (row) => row.bytes) };
  if (options.json) console.log(JSON.stringify({ rows, powers }, null, 2));
  else {
    for (const { peers, rounds, secondsPerRound, bytes, bytesPerPeer } of rows) {
      const time = `${secondsPerRound.toPrecision(3)} s of processor time a round (${rounds} rounds)`;
      console.log(`${peers} peers: ${time}, ${(bytes / 1e6).toFixed(0)} MB, ${bytesPerPeer.toFixed(0)} bytes a peer`);
    }
    console.log(`grow as peers^${powers.seconds.toFixed(2)} and peers^${powers.bytes.toFixed(2)}`);
  }
}
