// A round where vectors are long, as an app meets it: peers of the SDK that declare vector(N), 20 items, alone and in a room of
// nine. What the first of them takes for a choice, a reward and a tick, in milliseconds of the processor; a tick with its
// partner's answer, which is given in the same process. Beside another clone of the repository (built) in turn.
//   node bench/long.mjs [--numbers 384,768] [--project 64|false] [--peers 1,9] [--rounds 100] [--lives 2] [--against path/to/other/clone]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { worldOf } from "./tab/world.mjs";

const { values: options } = parseArgs({
  options: {
    numbers: { type: "string", default: "384,768" },
    project: { type: "string" },
    peers: { type: "string", default: "1,9" },
    rounds: { type: "string", default: "100" },
    lives: { type: "string", default: "2" },
    against: { type: "string" },
  },
});
const list = (text) => text.split(",").map(Number);
const [rounds, lives] = [Number(options.rounds), Number(options.lives)];
const project = options.project === "false" ? false : Number(options.project);
const declared = options.project === undefined ? {} : { project };

const open = (clone) => import(pathToFileURL(resolve(clone, "packages/net/dist/index.js")).href);
const builds = { now: await open(".") };
if (options.against !== undefined) builds.before = await open(options.against);

async function timed(action) {
  const from = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/** What each round took the first of the peers; the others live as it does, in between. */
async function live({ createPeer, memory, MemoryNetwork, vector }, numbers, count, life) {
  const world = worldOf(numbers);
  const network = new MemoryNetwork();
  const open = (k) => {
    const features = { embedding: vector(numbers, declared) };
    return createPeer({ room: "long", features, tick: false, seed: 100 * life + k, network: memory(network) });
  };
  const peers = await Promise.all(Array.from({ length: count }, (_, k) => open(k)));
  const found = [];
  for (let round = 1; round <= rounds; round++) {
    for (const [k, peer] of peers.entries()) {
      const { items, pay } = world.turn(100 * life + k, round, k % 2);
      let made;
      const choose = await timed(() => {
        made = peer.choose(items);
      });
      const reward = await timed(() => made.reward(pay(made.index)));
      const tick = await timed(() => peer.tick());
      if (k === 0) found.push({ choose, reward, tick, round: choose + reward + tick });
    }
  }
  await Promise.all(peers.map((peer) => peer.close()));
  return found;
}

const ms = (value) => value.toFixed(value < 10 ? 2 : 0);
for (const numbers of list(options.numbers)) {
  for (const count of list(options.peers)) {
    const found = Object.fromEntries(Object.keys(builds).map((name) => [name, []]));
    for (let life = 1; life <= lives; life++) {
      for (const [name, build] of Object.entries(builds))
        found[name].push(...(await live(build, numbers, count, life)));
    }
    const meanOf = (name) => found[name].reduce((sum, { round }) => sum + round, 0) / found[name].length;
    for (const [name, all] of Object.entries(found)) {
      const told = ["choose", "reward", "tick", "round"].map((kind) => {
        const sorted = all.map((each) => each[kind]).toSorted((a, b) => a - b);
        const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length;
        return `${kind} ${ms(mean)} (median ${ms(sorted[sorted.length >> 1])}, longest ${ms(sorted.at(-1))})`;
      });
      console.log(
        `vector(${numbers}), ${count === 1 ? "alone" : `a room of ${count}`}, ${name}: ${told.join(", ")} ms`,
      );
    }
    if (found.before !== undefined) console.log(`  ${(meanOf("before") / meanOf("now")).toFixed(1)} times as fast`);
  }
}
