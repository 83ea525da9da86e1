// Bytes per exchange of real peers, read from their metrics, beside the paper's O(d² log(|V|t)).
//   node bench/bytes.mjs [round] [policy ...]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PEERS = 4;
const DIMENSION = 10;
const ROUND = Number(process.argv[2] ?? 200);
const bin = fileURLToPath(new URL("../packages/cli/bin/coterie.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "coterie-bytes-"));
const LISTEN = ["--listen", "/ip4/127.0.0.1/tcp/0"];

/** Starts a hub or a peer; resolves with what it says when it is ready. */
function launch(running, ...args) {
  const child = spawn(process.execPath, [bin, ...args, ...LISTEN, "--json", "--log-level", "error"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  return new Promise((resolve) => child.stdout.once("data", (text) => resolve(JSON.parse(text))));
}

async function post(url, body) {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** The sum of a metric over its labels. */
async function read({ http }, ...names) {
  const lines = (await (await fetch(`${http}/metrics`)).text()).split("\n");
  const sum = (name) =>
    lines
      .filter((line) => line.split(/[{ ]/)[0] === name)
      .reduce((all, line) => all + Number(line.split(" ").at(-1)), 0);
  return names.map((name) => sum(`coterie_${name}`));
}

/** One choice and its reward after the other, until told to stop. */
async function use({ http }, stop) {
  for (let k = 0; !stop.aborted; k++) {
    const item = (j) => Array.from({ length: DIMENSION }, (_, i) => Math.sin(3 * i + 7 * j + k) / DIMENSION);
    const { choices } = await post(`${http}/choose`, { items: [0, 1, 2, 3, 4].map(item) });
    await post(`${http}/reward`, { id: choices[0].id, reward: 0.5 });
    await wait(30);
  }
}

async function measure(policy) {
  const running = [];
  const stop = new AbortController();
  const hub = await launch(running, "hub", "--key-file", join(folder, `${policy}.key`));
  const options = ["--room", "bytes", "--dimension", `${DIMENSION}`, "--policy", policy, "--tick-ms", "60"];
  const start = (_, k) =>
    launch(running, "peer", ...options, "--store", join(folder, `${policy}-${k}`), "--bootstrap", hub.addresses[0]);
  const peers = await Promise.all(Array.from({ length: PEERS }, start));
  const used = Promise.all(peers.map((peer) => use(peer, stop.signal)));
  const reach = async (round) => {
    while ((await read(peers[0], "round"))[0] < round) await wait(50);
    return read(peers[0], "round", "exchanges_total", "exchange_sent_bytes_total", "sent_bytes_total");
  };
  const before = await reach(ROUND / 2);
  const after = await reach(ROUND);
  const [, exchanges, said, sent] = after.map((value, k) => value - before[k]);
  const paper = 8 * DIMENSION ** 2 * Math.log2(PEERS * after[0]);
  console.log(
    `${policy}: rounds ${before[0]} to ${after[0]}, ${exchanges} exchanges, ${Math.round(said / exchanges)} bytes sent in each ` +
      `(${Math.round(sent / exchanges)} with news of the room); 8 d² log2(V t) = ${Math.round(paper)}`,
  );
  stop.abort();
  await used;
  const ended = running.map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(ended);
}

const policies = process.argv.slice(3);
for (const policy of policies.length > 0 ? policies : ["dccb", "kindred"]) await measure(policy);
rmSync(folder, { recursive: true, force: true });
