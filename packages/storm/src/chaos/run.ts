import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { closeNamespaces, namespaceOf, openNamespaces, whyNoNamespaces } from "./namespaces.ts";
import { chaosPlan, describeFault } from "./plan.ts";
import type { ChaosPolicy, ChaosReport, ChaosTask } from "./task.ts";
import type { Word } from "./worker.ts";

export interface ChaosOptions {
  readonly seed: number;
  readonly peers: number;
  readonly seconds: number;
  readonly policy: ChaosPolicy;
  /** How to start `coterie`: a program and its first arguments. */
  readonly command: readonly string[];
  /** A folder for the logs of all processes. */
  readonly logs?: string | undefined;
  readonly signal?: AbortSignal;
  /** Hears how far it is. */
  readonly onLine?: (line: string) => void;
}

/** From the wish to stop until what is left is taken away by force. */
const GRACE_MS = 5000;

/**
 * Real peers and a hub, each a process in a network namespace of its own, while a seed does to them what happens to
 * processes: they are killed, paused and cut off, packets are lost, a disk is full, the hub dies. Whatever happens to this
 * function, no process and no namespace is left.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, peers, seconds, policy, command, logs = null, signal, onLine = () => {} } = options;
  signal?.throwIfAborted();
  const plan = chaosPlan(seed, peers, seconds);
  onLine(`seed ${seed}: ${peers} peers, ${seconds} s, ${policy}`);
  for (const fault of plan.faults) onLine(describeFault(fault));
  const why = whyNoNamespaces();
  if (why !== null) onLine(`no network namespaces here (${why}): peers meet over loopback, behind a proxy each`);
  const { pid } = process;
  const folder = mkdtempSync(join(tmpdir(), "coterie-chaos-"));
  const task: ChaosTask = { plan, policy, command, folder, logs, namespacesOf: why === null ? pid : null };
  const enter = why === null ? ["ip", "netns", "exec", namespaceOf(pid, "ground")] : [];
  try {
    if (why === null) openNamespaces(pid, peers);
    return await onGround(enter, task, onLine, signal);
  } finally {
    if (why === null) closeNamespaces(pid);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onGround(
  enter: readonly string[],
  task: ChaosTask,
  onLine: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<ChaosReport> {
  const worker = fileURLToPath(new URL("./worker.js", import.meta.url));
  const [program = process.execPath, ...args] = [...enter, process.execPath, worker];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const stop = (): void => void end(child);
  signal?.addEventListener("abort", stop);
  try {
    return await new Promise<ChaosReport>((resolve, reject) => {
      child.on("error", reject);
      child.on("message", (word: Word) => {
        if (word.kind === "line") onLine(word.line);
        else if (word.kind === "report") resolve(word.report);
        else reject(signal?.aborted ? signal.reason : new Error(word.message));
      });
      child.on("close", (code, name) =>
        reject(signal?.aborted ? signal.reason : new Error(`the process on the ground ended (${code ?? name})`)),
      );
      child.send(task);
    });
  } finally {
    signal?.removeEventListener("abort", stop);
    await end(child);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  await over;
  clearTimeout(force);
}
