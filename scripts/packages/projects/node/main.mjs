// Starts the worker and prints what it says.
import { Worker } from "node:worker_threads";

const worker = new Worker(new URL("./worker.mjs", import.meta.url), { workerData: { rounds: 20 } });
worker.once("message", (answer) => console.log(JSON.stringify(answer)));
