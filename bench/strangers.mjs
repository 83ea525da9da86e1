// Attacks by one process on an open room of real peers, each in a network namespace with an address prefix of its own (root, `ip`).
//   node bench/strangers.mjs names   [--policy kindred|dcb] [--each] [--count 300] [--seconds 240]   many names, from an address of the
//                                      attacker's own and from that of an honest peer: exchanges of honest peers, during it and after
//   node bench/strangers.mjs forged  [--seconds 30]   forged entries, and bare sockets, at full speed: processor time of the peer that gets them
//   node bench/strangers.mjs stalled [--seconds 20]   bodies that never end: memory of the peer, and how long its API takes
//   node bench/strangers.mjs         all of them, names in all four ways: half an hour
// Processor times are the peer's own, and exchanges those in the same room before the attack, so other work on the machine hardly counts.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { address, closeNetwork, openNetwork, start } from "./strangers/namespaces.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    policy: { type: "string", default: "kindred" },
    each: { type: "boolean", default: false },
    count: { type: "string", default: "300" },
    seconds: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const HONEST = 6;
/** Of rooms, and of single peers, where it only has to be quick. */
const TICK_MS = 4000;
const QUICK_MS = 1000;
/** Seconds in which a room without an attack is measured. */
const CLEAN_S = 90;
const seconds = (preset) => Number(options.seconds ?? preset);
const round = (value, digits = 2) => Number(value.toFixed(digits));

/** Six honest peers, the last of them at the address that an attacker shares. */
async function room(policy) {
  const peers = [];
  for (let k = 0; k < HONEST; k++) {
    const bootstrap = peers.length === 0 ? [] : [peers[0].addresses[0]];
    peers.push(await start("honest", address(10 + k), { policy, tickMs: TICK_MS, bootstrap }));
  }
  return peers;
}

/** Exchanges that these honest peers proposed to each other and to others, in all and of the one that shares the attacker's address. */
async function count(peers, others = []) {
  const names = new Set([...peers, ...others].map(({ self }) => self));
  const neighbour = peers.at(HONEST - 1).self;
  const looks = await Promise.all(peers.map(({ ask }) => ask("look")));
  let [all, ofNeighbour] = [0, 0];
  for (const [k, { exchanged }] of looks.entries()) {
    for (const [partner, times] of exchanged) {
      if (!names.has(partner)) continue;
      all += times;
      if (peers[k].self === neighbour || partner === neighbour) ofNeighbour += times;
    }
  }
  return { all, ofNeighbour, looks };
}

/** What came about in so many seconds, a second. */
async function over(peers, time, others = []) {
  const [before, from] = [await count(peers, others), performance.now()];
  await sleep(1000 * time);
  const [after, spent] = [await count(peers, others), (performance.now() - from) / 1000];
  return { all: (after.all - before.all) / spent, ofNeighbour: (after.ofNeighbour - before.ofNeighbour) / spent };
}

async function names(policy, each) {
  const time = seconds(240);
  const peers = await room(policy);
  await sleep(20_000);
  const clean = await over(peers, CLEAN_S);
  const victims = peers.map(({ addresses }) => addresses[0]);
  const { agreement } = peers[0];
  const invade = { count: Number(options.count), each, victims };
  const attackers = [];
  for (const where of [address(100), address(10 + HONEST - 1)]) {
    const attacker = await start("attacker", where, { agreement });
    await attacker.ask("invade", invade);
    attackers.push(attacker);
  }
  const [first, second] = [await over(peers, time / 2), await over(peers, time / 2)];
  const hit = { all: (first.all + second.all) / 2, ofNeighbour: (first.ofNeighbour + second.ofNeighbour) / 2 };
  const bootstrap = [peers[0].addresses[0]];
  const newcomer = await start("honest", address(60), { policy, tickMs: TICK_MS, bootstrap });
  await sleep(20_000);
  const { looks } = await count(peers);
  const met = looks.filter(({ alive }) => alive.includes(newcomer.self)).length / peers.length;
  const told = await Promise.all(attackers.map(({ ask }) => ask("look")));
  for (const attacker of attackers) await attacker.stop();
  await sleep(10_000);
  const after = await over(peers, 20, [newcomer]);
  for (const peer of [...peers, newcomer]) await peer.stop();
  return {
    attack: `${options.count} names twice, ${each ? "a connection each" : "one connection"}, ${policy}`,
    exchanges: round(hit.all / clean.all),
    inItsSecondHalf: round(second.all / clean.all),
    amongPeersElsewhere: round((hit.all - hit.ofNeighbour) / (clean.all - clean.ofNeighbour)),
    ofPeerAtItsAddress: round(hit.ofNeighbour / clean.ofNeighbour),
    knowANewcomer: round(met),
    after10s: round(after.all / clean.all),
    cleanPerTick: round((clean.all * TICK_MS) / 1000 / HONEST),
    connectionsMade: told.map(({ made }) => made),
    names: told.map((one) => one.names),
  };
}

async function forged() {
  const settled = { policy: "kindred", tickMs: QUICK_MS };
  const victim = await start("honest", address(10), settled);
  const other = await start("honest", address(11), { ...settled, bootstrap: [victim.addresses[0]] });
  await sleep(10_000);
  const share = async () => {
    const before = await victim.ask("look");
    await sleep(1000 * seconds(30));
    const after = await victim.ask("look");
    return (after.cpu - before.cpu) / (after.at - before.at);
  };
  const result = { attack: "forged entries at full speed", idle: round(await share(), 3) };
  for (const [name, settings] of [
    ["one identity", { lines: 1, anew: false }],
    ["a new identity each time", { lines: 1, anew: true }],
    ["a new identity each time, 4 lines", { lines: 4, anew: true }],
  ]) {
    const attacker = await start("attacker", address(100), { agreement: victim.agreement });
    await attacker.ask("forge", { victim: victim.addresses[0], ...settings });
    const busy = await share();
    const { made, stood } = await attacker.ask("look");
    await attacker.stop();
    result[name] = {
      coreShare: round(busy - result.idle, 3),
      connectionsPerSecond: round(made / seconds(30), 1),
      stoodMs: { median: round(stood[stood.length >> 1] ?? Number.NaN, 0), most: round(stood.at(-1) ?? Number.NaN, 0) },
    };
    await sleep(3000);
  }
  const attacker = await start("attacker", address(100), { agreement: victim.agreement });
  await attacker.ask("knock", { victim: victim.addresses[0], lines: 256 });
  const knocked = await share();
  const { made } = await attacker.ask("look");
  await attacker.stop();
  const perSecond = made / seconds(30);
  result["bare sockets, 256 lines"] = { coreShare: round(knocked - result.idle, 3), perSecond: round(perSecond, 0) };
  const { violations, exchanged } = await victim.ask("look");
  for (const peer of [victim, other]) await peer.stop();
  return {
    ...result,
    violations: Object.fromEntries(violations),
    exchanges: exchanged.reduce((sum, [, n]) => sum + n, 0),
  };
}

async function stalled() {
  const time = seconds(20);
  const spy = await start("honest", address(12), { policy: "kindred", tickMs: QUICK_MS });
  const victim = await start("served", address(10), { tickMs: QUICK_MS });
  const caller = await start("caller", address(10), {});
  await caller.ask("look", { requests: 200 });
  const before = { ...(await caller.ask("look", { requests: 500 })), mb: (await victim.ask("look")).mb };
  const attacker = await start("attacker", address(100), { agreement: spy.agreement });
  await spy.stop();
  const where = `/ip4/${address(10)}/tcp/4001`;
  await attacker.ask("stall", { victim: where, connections: 55, streams: 4 });
  await sleep(1000 * time);
  let mb = 0;
  const watch = setInterval(async () => {
    mb = Math.max(mb, (await victim.ask("look")).mb);
  }, 250);
  const during = await caller.ask("look", { requests: 500 });
  clearInterval(watch);
  await sleep(500);
  const { made, cut } = await attacker.ask("look");
  for (const one of [attacker, caller, victim]) await one.stop();
  return {
    attack: "55 connections with 4 streams each, stalled bodies of 4 MB",
    p50Ms: [round(before.p50), round(during.p50)],
    p99Ms: [round(before.p99), round(during.p99)],
    mb: [round(before.mb, 0), round(mb, 0)],
    connections: { made, cut },
  };
}

const [what = "all"] = positionals;
const runs = {
  names: [() => names(options.policy, options.each)],
  forged: [forged],
  stalled: [stalled],
};
runs.all = [
  ...runs.forged,
  ...runs.stalled,
  ...["kindred", "dcb"].flatMap((policy) => [false, true].map((each) => () => names(policy, each))),
];
openNetwork();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
process.on("exit", closeNetwork);
try {
  for (const run of runs[what]) {
    const result = await run();
    console.log(options.json ? JSON.stringify(result) : result);
  }
} finally {
  process.exit();
}
