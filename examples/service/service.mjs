// A hub, and twenty workers that serve readers and learn together. Prints what they have learnt.
//   node service.mjs [workers] [requests for each]
import { Worker } from "node:worker_threads";
import { startHub } from "@coterie/net";

const [workers = 20, requests = 60] = process.argv.slice(2).map(Number);

const hub = await startHub({ listen: ["/ip4/127.0.0.1/tcp/0"] });
const settings = { bootstrap: hub.addresses, requests };

/** One worker's life: it reports when it has served all, and leaves when everybody has. */
const start = (region) => new Worker(new URL("./worker.mjs", import.meta.url), { workerData: { ...settings, region } });
const heard = (worker) =>
  new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });

const team = Array.from({ length: workers }, (_, region) => start(region));
const reports = await Promise.all(team.map(heard));
for (const worker of team) worker.postMessage("done");
await Promise.all(team.map((worker) => new Promise((resolve) => worker.once("exit", resolve))));
await hub.close();

console.log("region  readers like  liked at first  liked at last  own rewards  borrows from");
for (const { region, taste, early, late, own, lenders } of reports) {
  const cells = [region, taste, `${early} %`, `${late} %`, own, `${lenders} regions`];
  console.log(cells.map((cell, k) => `${cell}`.padEnd([8, 14, 16, 15, 13, 0][k])).join(""));
}
const mean = (name) => Math.round(reports.reduce((sum, report) => sum + report[name], 0) / workers);
console.log(`all: ${mean("early")} % liked at first, ${mean("late")} % at last`);
