import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ConfigError } from "@coterie/core";
import { BENCHES, type BenchLine, type BenchName, bench, lossesOf, parseSaved, savedOf } from "@coterie/lab";
import { buildCommand } from "@stricli/core";
import { readJson } from "../files.ts";
import { CheckNotMet, guarded } from "../guard.ts";

interface BenchFlags {
  readonly json: boolean;
  readonly save?: string;
  readonly compare?: string;
  readonly seconds: number;
}

/** Of the repository only: they need real peers on this machine, and take minutes. */
const NETWORK = ["exchange", "room"] as const;
type NetworkBench = (typeof NETWORK)[number];

const scriptOf = (name: NetworkBench): string =>
  fileURLToPath(new URL(`../../../../bench/${name}.mjs`, import.meta.url));

export const benchCommand = buildCommand<BenchFlags, [string?]>({
  docs: {
    brief: "Benchmarks: rounds, kernels, codec, choose, exchange, room",
    fullDescription:
      "Times whole rounds, each kernel, the codec, choosing and an exchange, and weighs fifty peers, beside what this machine can do at most, all in one run. Without a name all are run; outside of the repository all but exchange and room. --save keeps the ratios; --compare holds this run's against a kept one and ends with exit code 3 if one fell by more than a fifth.",
  },
  parameters: {
    flags: {
      json: { kind: "boolean", default: false, withNegated: false, brief: "print the results as JSON" },
      save: { kind: "parsed", parse: String, optional: true, brief: "keep the ratios in a file", placeholder: "FILE" },
      compare: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "compare with the ratios in a file",
        placeholder: "FILE",
      },
      seconds: { kind: "parsed", parse: secondsOf, default: "4", brief: "time for each part", placeholder: "N" },
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "which one; all without it", parse: String, placeholder: "NAME", optional: true }],
    },
  },
  func(flags, name) {
    return guarded(async () => {
      const before = flags.compare === undefined ? null : readJson(flags.compare, parseSaved);
      const { lines, document } = await run(name, flags.seconds);
      if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
      else print(lines);
      if (flags.save !== undefined) writeFileSync(flags.save, `${JSON.stringify(savedOf(lines), null, 2)}\n`);
      if (before !== null) compare(before, lines);
    });
  },
});

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 600)) throw new ConfigError("--seconds", text, "be a number above 0, at most 600");
  return seconds;
}

function named(name: string): BenchName {
  const found = BENCHES.find((each) => each === name);
  if (found === undefined)
    throw new ConfigError("the benchmark", name, `be one of ${BENCHES.join(", ")}, exchange, room`);
  return found;
}

function print(lines: readonly BenchLine[]): void {
  const width = Math.max(...lines.map(({ name }) => name.length)) + 2;
  const percent = (part: number): string => `${(100 * part).toFixed(0)} %`;
  for (const { name, value, unit, ratio, against, share } of lines) {
    const number = value >= 1000 ? value.toFixed(0) : value.toPrecision(3);
    const notes = [
      ...(ratio === undefined
        ? []
        : [`${against?.startsWith("of the") ? percent(ratio) : ratio.toFixed(2)} ${against}`]),
      ...(share === undefined ? [] : [`${percent(share)} of the limit`]),
    ];
    process.stdout.write(`${name.padEnd(width)}${number} ${unit}${notes.length > 0 ? `   ${notes.join(", ")}` : ""}\n`);
  }
}

function compare(before: Parameters<typeof lossesOf>[0], lines: readonly BenchLine[]): void {
  const losses = lossesOf(before, lines).map(
    ({ name, before: was, now }) => `${name} fell from ${was.toFixed(2)} to ${now.toFixed(2)}`,
  );
  if (losses.length > 0) throw new CheckNotMet(losses.join("; "));
  process.stderr.write("no ratio fell by more than a fifth\n");
}

interface Ran {
  readonly lines: readonly BenchLine[];
  /** What --json prints. */
  readonly document: object;
}

async function run(name: string | undefined, seconds: number): Promise<Ran> {
  const alone = NETWORK.find((each) => each === name);
  if (alone !== undefined) return runNetwork(alone);
  if (name === undefined) return runAll(seconds);
  const { rounds, ...one } = { name, ...bench(named(name), seconds) };
  return { lines: one.lines, document: rounds === undefined ? { benches: [one] } : { rows: rounds.rows } };
}

async function runAll(seconds: number): Promise<Ran> {
  const benches: { readonly name: string; readonly lines: readonly BenchLine[] }[] = [];
  for (const name of BENCHES) benches.push({ name, ...bench(name, seconds) });
  for (const name of NETWORK) {
    if (existsSync(scriptOf(name))) benches.push({ name, lines: (await runNetwork(name)).lines });
  }
  return { lines: benches.flatMap(({ lines }) => lines), document: { benches } };
}

/** What bench/exchange.mjs prints, as far as it is read here. */
interface Exchanges {
  readonly results: readonly { readonly name: string; readonly exchangeMicros?: number; readonly ratio?: number }[];
}

/** The same of bench/room.mjs: the first stages are Node and its imports, the last one the room. */
interface Room {
  readonly peers: number;
  readonly stages: readonly { readonly name: string; readonly rssMB: number }[];
}

async function runNetwork(name: NetworkBench): Promise<Ran> {
  if (!existsSync(scriptOf(name))) throw new ConfigError("the benchmark", name, "be run from the repository");
  const document = JSON.parse(await outputOf(scriptOf(name)));
  return { lines: name === "exchange" ? exchangeLines(document) : roomLines(document), document };
}

function exchangeLines({ results }: Exchanges): BenchLine[] {
  return results.flatMap(({ name, exchangeMicros, ratio }) => {
    if (exchangeMicros === undefined || ratio === undefined) return [];
    const against = "of the speed of a plain echo of as many bytes";
    return [{ name: `exchange, ${name}`, value: exchangeMicros, unit: "µs", ratio: 1 / ratio, against }];
  });
}

function roomLines({ peers, stages }: Room): BenchLine[] {
  const resident = (stage: string): number => stages.find(({ name }) => name === stage)!.rssMB;
  const [alone, value] = [resident("imports"), resident("learnt")];
  const against = `of it are Node and its imports (${alone} MB)`;
  return [{ name: `room, ${peers} peers in one process`, value, unit: "MB", ratio: alone / value, against }];
}

async function outputOf(script: string): Promise<string> {
  const child = spawn(process.execPath, ["--expose-gc", script, "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`the benchmark ${script} ended with exit code ${code}`);
  return text;
}
