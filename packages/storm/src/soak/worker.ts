/** A flood from a thread of its own, so that what it holds is not counted with the peers. */
import { parentPort, workerData } from "node:worker_threads";
import { type Flooded, type FloodTask, flood } from "./flood.ts";

const controller = new AbortController();
const sent: Flooded = { messages: 0, connections: 0, names: 0 };
parentPort?.once("message", () => controller.abort());
await flood(workerData as FloodTask, sent, controller.signal);
parentPort?.postMessage(sent);
