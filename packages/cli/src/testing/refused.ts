import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Ended } from "./coterie.ts";

const program = fileURLToPath(new URL("./refuser.mjs", import.meta.url));

type Refusal = Pick<Ended, "code" | "out" | "err">;

let refuser: ChildProcess | undefined;
let before: Promise<unknown> = Promise.resolve();

/**
 * How a command line ends that is refused and so starts nothing. All of a test file run in one process, one after another:
 * loading the command takes a hundred times as long as refusing. Whoever expects more of it starts it (coterie.ts).
 */
export function refused(args: readonly string[], env: Record<string, string> = {}): Promise<Refusal> {
  const ended = before.then(() => ask(args, env));
  before = ended.catch(() => {});
  return ended;
}

async function ask(args: readonly string[], env: Record<string, string>): Promise<Refusal> {
  refuser ??= start();
  const child = refuser;
  child.send({ args, env });
  const died = once(child, "exit").then(() => Promise.reject(new Error(`the process ended on ${args.join(" ")}`)));
  const [ended] = await Promise.race([once(child, "message"), died]);
  return ended;
}

/** Ends with the process of the tests, which need not wait for it. */
function start(): ChildProcess {
  const child = fork(program, { env: { ...process.env, NO_COLOR: "1" }, execArgv: [] });
  child.unref();
  child.channel?.unref();
  return child;
}
