import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a figure's command: what it answered, and where and when that was. */
export async function measure({ name, command, resumed = false, keep = (result) => result }) {
  const load = loadavg()[0];
  const begun = resumed ? beginning(name) : { commit: commit(), args: [] };
  const { result, exit, seconds, processorSeconds } = await run([...programOf(command), ...begun.args]);
  return {
    command: shown(command),
    date: new Date().toISOString().slice(0, 10),
    coterie: JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")).version,
    commit: begun.commit,
    node: process.versions.node,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    load: rounded(load),
    seconds: rounded(seconds),
    processorSeconds: rounded(Math.max(processorSeconds, ofRuns(result))),
    exit,
    result: await keep(result),
  };
}

/** Where the runs of a figure stream to, and the commit that they began with: what is gone on with may be older. */
function beginning(name) {
  const out = join(root, "runs", `figure-${name}`);
  const note = `${out}.commit`;
  mkdirSync(join(root, "runs"), { recursive: true });
  if (!existsSync(out)) writeFileSync(note, `${commit() ?? ""}\n`);
  const begun = readFileSync(note, "utf8").trim() || null;
  if (begun !== commit())
    console.error(
      `runs/figure-${name} goes on with runs of ${begun ?? "an unknown commit"}: remove it to measure anew`,
    );
  return { commit: begun, args: ["--out", out, "--resume"] };
}

/** Of runs that were gone on with only some were made just now. */
const ofRuns = ({ rows = [] }) => rows.reduce((sum, { secondsPerRun = 0 }) => sum + secondsPerRun, 0);

const numpy = process.env.COTERIE_NUMPY;
const isBench = (command) => command.startsWith("npm run bench -- ");
const shown = (command) => (isBench(command) && numpy ? `${command} --numpy ${basename(numpy)}` : command);

/** The words to start it with: npm would print its own lines among the answer. */
function programOf(command) {
  const words = command.split(" ");
  if (command === "npm run coverage") return [join(root, "scripts/coverage.mjs"), "--json"];
  if (!isBench(command)) return [join(root, "packages/cli/bin/coterie.js"), ...words.slice(1), "--json"];
  const args = [...words.slice(4), "--json", ...(numpy ? ["--numpy", numpy] : [])];
  return ["--expose-gc", join(root, "bench/rounds.mjs"), ...args];
}

/** The shell knows the processor time of all that it waited for. A check that is not met (3) is a result like any other. */
async function run(args) {
  const script = '"$@" 3>&-; code=$?; times >&3; exit $code';
  const from = performance.now();
  const child = spawn("sh", ["-c", script, "sh", process.execPath, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  const ended = new Promise((done, fail) => child.on("error", fail).on("close", done));
  const [out, times, exit] = await Promise.all([text(child.stdout), text(child.stdio[3]), ended]);
  if (exit !== 0 && exit !== 3) throw new Error(`${args.join(" ")} ended with ${exit}`);
  return {
    result: JSON.parse(out),
    exit,
    seconds: (performance.now() - from) / 1000,
    processorSeconds: secondsOf(times.split("\n")[1]),
  };
}

/** "1m2.5s 0m0.3s" -> 62.8 */
const secondsOf = (line) =>
  Array.from(line.matchAll(/(\d+)m([\d.]+)s/g)).reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);

/** The commit, and whether anything was changed since. */
function commit() {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
  const { stdout } = spawnSync("git", ["describe", "--always", "--dirty"], { cwd: root, env, encoding: "utf8" });
  return stdout?.trim() || null;
}

const rounded = (value) => Math.round(value * 10) / 10;
