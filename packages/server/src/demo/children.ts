import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Order, WorkerNews } from "./protocol.ts";

/** After this long a process that was told to stop is killed: it has nothing to save. */
const STOP_MS = 800;

/** A process that holds peers, as the demo sees it. */
export class Child {
  readonly slots = new Set<number>();
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #stopping = false;

  constructor(onNews: (news: WorkerNews) => void, onLost: (child: Child) => void) {
    // The build's own file: Node runs no TypeScript.
    const file = fileURLToPath(new URL("./child.js", import.meta.url));
    this.#process = fork(file, [], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
    this.#process.on("message", (news: WorkerNews) => onNews(news));
    this.#process.on("error", () => {});
    // However the demo ends, its peers do not outlive it.
    const kill = (): unknown => this.#process.kill("SIGKILL");
    process.once("exit", kill);
    this.#ended = new Promise((resolve) => {
      this.#process.on("exit", () => {
        process.off("exit", kill);
        if (!this.#stopping) onLost(this);
        resolve();
      });
    });
  }

  send(order: Order): void {
    // One that has just died is told nothing; that it died is told elsewhere.
    if (this.#process.connected) this.#process.send(order, () => {});
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#process.kill("SIGTERM");
    const late = setTimeout(() => this.#process.kill("SIGKILL"), STOP_MS);
    await this.#ended;
    clearTimeout(late);
  }
}
