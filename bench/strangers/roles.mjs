// What the processes of bench/strangers.mjs do: an honest peer, somebody who calls a peer's HTTP API, and an attacker. They are asked
// over IPC.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dcb, kindred, Random } from "@coterie/core";
import { createPeer, libp2p, memoryStore, vectors } from "@coterie/net";
import { startPeerProcess, vectorFeatures } from "@coterie/server";
import { Attacker } from "./attacker.mjs";

const POLICIES = { kindred: () => kindred(), dcb: () => dcb({ delay: { rounds: 8 } }) };
const DIMENSION = 5;
const EXCHANGED = new Set(["mix", "keep", "prune", "behind", "busy"]);

/** What was used since the start: processor time in s, memory in MB. */
function used() {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1e6, mb: process.memoryUsage().rss / 1e6, at: performance.now() / 1000 };
}

/** A peer that learns from made-up choices, and counts its exchanges by partner. */
async function honest({ where, port = 4001, bootstrap = [], policy, tickMs, room = "strangers" }) {
  const exchanged = new Map();
  let network = null;
  let agreement = "";
  const enter = async (given) => {
    agreement = given.agreement;
    network = await libp2p({ listen: [`/ip4/${where}/tcp/${port}`], bootstrap })(given);
    return network;
  };
  const onEvent = (event) => {
    if (event.kind !== "exchange" || event.side !== "proposed" || !EXCHANGED.has(event.verdict)) return;
    exchanged.set(event.partner, (exchanged.get(event.partner) ?? 0) + 1);
  };
  const known = { room, features: vectors(DIMENSION), policy: POLICIES[policy](), store: memoryStore() };
  const peer = await createPeer({ ...known, tick: { periodMs: tickMs }, onEvent, network: enter });
  const random = Random.seeded(port);
  const item = () => Array.from(random.normals(new Float64Array(DIMENSION)), (value) => value / 10);
  setInterval(() => void peer.choose([item(), item()]).reward(random.uniform()), tickMs / 2);
  return {
    self: peer.self,
    addresses: network.addresses(),
    agreement,
    look: () => ({
      ...used(),
      exchanged: [...exchanged],
      alive: peer.state().alive,
      connections: network.connections,
      violations: [...network.violations],
    }),
  };
}

/** The whole process that an operator runs, with its HTTP API on loopback. */
async function served({ where, tickMs }) {
  const store = mkdtempSync(join(tmpdir(), "strangers-"));
  process.on("exit", () => rmSync(store, { recursive: true, force: true }));
  const running = await startPeerProcess({
    ...{ room: "strangers", store, http: { host: "127.0.0.1", port: 8080 }, token: null, tickMs },
    ...{ features: vectorFeatures(DIMENSION), logLevel: "error" },
    network: { listen: [`/ip4/${where}/tcp/4001`] },
  });
  return { addresses: running.ready.addresses ?? [], ready: running.ready, look: used };
}

/** Asks a peer's API to choose, one request after the other. */
async function caller() {
  const item = () => Array.from({ length: DIMENSION }, () => Math.random() / 10);
  return {
    look: async ({ requests }) => {
      const times = [];
      for (let k = 0; k < requests; k++) {
        const from = performance.now();
        const response = await fetch("http://127.0.0.1:8080/choose", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ items: [item(), item(), item()] }),
        });
        await response.text();
        times.push(performance.now() - from);
        if (!response.ok) throw new Error(`${response.status}`);
        await sleep(10);
      }
      times.sort((a, b) => a - b);
      return { p50: times[requests >> 1], p99: times[Math.floor(0.99 * requests)] };
    },
  };
}

const ROLES = { honest, served, caller, attacker: async (settings) => new Attacker(settings).begin() };
let actor = null;
process.on("disconnect", () => process.exit(0));
process.on("unhandledRejection", () => {});
process.on("message", async ({ id, kind, ...more }) => {
  try {
    if (kind === "start") {
      const { look, ...told } = await ROLES[process.argv[2]](more);
      actor = look;
      process.send({ id, ...told });
    } else process.send({ id, ...(await actor({ kind, ...more })) });
  } catch (error) {
    process.send({ id, error: error instanceof Error ? `${error.stack}` : "it failed" });
  }
});
