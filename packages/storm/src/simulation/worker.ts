import { parentPort, workerData } from "node:worker_threads";
import { mutantOf } from "./mutants/index.ts";
import { planOf, sizeOf } from "./plan/plan.ts";
import type { WorkerTask } from "./run.ts";
import { storm } from "./storm.ts";

const { mutant, size } = workerData as WorkerTask;
const planted = mutant === null ? null : mutantOf(mutant);

parentPort?.on("message", async (seed: number) => {
  parentPort?.postMessage(await storm(planOf(seed, sizeOf(seed, size)), planted));
});
