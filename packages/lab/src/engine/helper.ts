import { Worker } from "node:worker_threads";
import type { Handed, Helper } from "./team.ts";

/** A helper of a team as a thread of Node. */
export function startHelper(handed: Handed): Helper {
  // As text, so that a thread runs the same from sources and from a build; the function stands for itself.
  const worker = new Worker(`(${help.toString()})(require("node:worker_threads").workerData)`, {
    eval: true,
    workerData: handed,
  });
  worker.unref();
  return { end: () => void worker.terminate() };
}

/** The life of a helper. Nothing outside may be named here: it becomes a text. */
function help({ module, memory, tasks, contextAt, scratchAt }: Handed): void {
  type Calls = Record<string, (...values: number[]) => number>;
  type Instance = new (module: unknown, imports: object) => { exports: Calls };
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Instance: Instance } };
  const { buffer } = memory as { buffer: SharedArrayBuffer };
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort: () => {} } });
  const words = new Int32Array(buffer, 0, 8);
  const given = new Float64Array(buffer, 32, 3);
  for (;;) {
    const next = Atomics.load(words, 0);
    const chunks = Atomics.load(words, 3);
    const chunk = chunks - 1 - ((next >> 8) & 0xff);
    if (chunk < (next & 0xff)) {
      // The next task is near: about a millisecond of looking before it is worth a sleep.
      for (let k = 0; k < 200_000 && Atomics.load(words, 0) === next; k++);
      Atomics.wait(words, 0, next);
      continue;
    }
    const name = tasks[Atomics.load(words, 1)]!;
    const count = Atomics.load(words, 2);
    const first = Atomics.load(words, 6);
    // Taken only if nothing changed meanwhile: then what was read belongs to this task.
    if (Atomics.compareExchange(words, 0, next, next + 256) !== next) continue;
    const [from, to] = [Math.floor((count * chunk) / chunks), Math.floor((count * (chunk + 1)) / chunks)];
    const bad = exports[name]!(
      contextAt,
      first + from,
      first + to,
      ...(name === "refreshTheory" ? Array.from(given) : [scratchAt]),
    );
    if (bad) Atomics.or(words, 5, bad);
    Atomics.add(words, 4, 1);
  }
}
