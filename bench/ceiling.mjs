/**
 * How soon a member of `coterie storm --room 100 --kindred` can find kin, whatever it does with what it sees:
 *
 *   node bench/ceiling.mjs            an ideal that is told all 20 tastes: how often it knows which is its own after n choices
 *   node bench/ceiling.mjs --rooms    rooms in which a kind is known for sure from the n-th choice of its member on
 *
 * The first bounds what can be known, the second what the room makes of it.
 */
import { parseArgs } from "node:util";
import { Random } from "@coterie/core";
import { playRoom } from "@coterie/storm";

const { values: options } = parseArgs({
  options: {
    rooms: { type: "boolean", default: false },
    members: { type: "string", default: "100" },
    seeds: { type: "string", default: "4" },
    from: { type: "string", default: "401" },
    seconds: { type: "string", default: "100" },
    choices: { type: "string", default: "0,15,30,50" },
  },
});

// As in packages/storm/src/simulation/room/learning.ts.
const [KINDS, DIMENSION, ARMS, NOISE] = [20, 10, 10, 0.5];
const PEERS = 4000;

const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const greatest = (values) => values.reduce((best, value, k) => (value > values[best] ? k : best), 0);

function direction(random) {
  const vector = Array.from({ length: DIMENSION }, () => random.normal());
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

/** Chances from log likelihoods. */
function chances(logs) {
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / sum);
}

/** One peer of the first kind: at which of so many choices its likeliest kind was its own, and the chance it gave to that. */
function identify(random, choices) {
  const tastes = Array.from({ length: KINDS }, () => direction(random));
  const logs = tastes.map(() => 0);
  return Array.from({ length: choices }, () => {
    const believed = chances(logs);
    const mean = tastes[0].map((_, k) =>
      dot(
        believed,
        tastes.map((taste) => taste[k]),
      ),
    );
    const arms = Array.from({ length: ARMS }, () => direction(random));
    const arm = arms[greatest(arms.map((one) => dot(one, mean)))];
    const reward = dot(arm, tastes[0]) + NOISE * random.normal();
    for (const [k, taste] of tastes.entries()) logs[k] -= (reward - dot(arm, taste)) ** 2 / (2 * NOISE ** 2);
    return { right: greatest(logs) === 0, chance: chances(logs)[0] };
  });
}

function ideal() {
  const random = Random.seeded(Number(options.from));
  const after = [5, 10, 15, 20, 30, 50];
  const peers = Array.from({ length: PEERS }, (_, k) => identify(random.fork(k), after.at(-1)));
  for (const n of after) {
    const share = (of) => (peers.reduce((sum, peer) => sum + of(peer[n - 1]), 0) / PEERS).toFixed(2);
    console.log(
      `${n} choices: right ${share(({ right }) => Number(right))}, chance of its own ${share(({ chance }) => chance)}`,
    );
  }
}

function rooms() {
  const [members, seconds] = [Number(options.members), Number(options.seconds)];
  for (const knownAfter of options.choices.split(",").map(Number)) {
    const reports = Array.from({ length: Number(options.seeds) }, (_, k) => {
      const seed = Number(options.from) + k;
      return playRoom({
        members,
        churn: 0.01,
        kinds: KINDS,
        learning: "kinds",
        knownAfter,
        seed,
        seconds,
        halves: false,
      });
    });
    const list = (of) => reports.map((report) => of(report).toFixed(1)).join(", ");
    const kin = list(({ withKin }) => 100 * withKin);
    console.log(`known after ${knownAfter}: with kin ${kin} %, first after ${list(({ firstKin }) => firstKin.p50)} s`);
  }
}

if (options.rooms) rooms();
else ideal();
