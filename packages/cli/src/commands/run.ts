import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "@coterie/core";
import {
  builtIn,
  builtIns,
  defaultJobs,
  type Experiment,
  loadExperiment,
  type Progress,
  parseShard,
  type Result,
  runExperiment,
  tableOf,
  terminalChart,
  terminalTable,
  textTable,
  WHOLE,
  withSeeds,
} from "@coterie/lab";
import { buildCommand } from "@stricli/core";
import { loadJson } from "../files.ts";
import { optionalText, optionalWhole, yes } from "../flags.ts";
import { guarded, interruptible } from "../guard.ts";
import { duration, ProgressLine } from "../progress.ts";
import { terminal } from "../terminal.ts";

interface RunFlags {
  readonly seeds?: number;
  readonly jobs?: number;
  readonly out?: string;
  readonly resume: boolean;
  readonly shard?: string;
  readonly json: boolean;
  readonly list: boolean;
}

export const runCommand = buildCommand<RunFlags, [string?]>({
  docs: {
    brief: "Run an experiment: a built-in one by name, or a file",
    fullDescription:
      "Runs worlds × policies × seeds over worker threads. Results stream to a directory (default runs/NAME) as they come, so that an interrupted run goes on with --resume and `coterie report` draws it. With --json the rows are printed as one JSON document and nothing is kept unless --out is given. `coterie run --list` names the built-in experiments.",
  },
  parameters: {
    flags: {
      seeds: optionalWhole("--seeds", "N", "use the seeds 1 to N instead", 1, 1_000_000),
      jobs: optionalWhole("--jobs", "N", "runs at once (default: one per core)", 1, 1_000_000),
      out: optionalText("DIR", "directory for the results"),
      resume: yes("go on where an earlier run stopped"),
      shard: optionalText("K/N", "only part K of N, or auto inside a Slurm array or an Indexed Job"),
      json: yes("print the rows as JSON"),
      list: yes("name the built-in experiments"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "a built-in experiment, or a JSON file",
          parse: String,
          placeholder: "NAME|FILE.json",
          optional: true,
        },
      ],
    },
  },
  func(flags, target) {
    return guarded(async () => {
      if (flags.list) return list(flags.json);
      if (target === undefined)
        throw new ConfigError("the experiment", target, "be named: a file, or one that coterie run --list names");
      await runTarget(target, flags);
    });
  },
});

function list(json: boolean): void {
  const entries = builtIns.map(({ name, title }) => ({ name, title }));
  if (json) process.stdout.write(`${JSON.stringify({ experiments: entries })}\n`);
  else {
    const width = 2 + Math.max(...entries.map(({ name }) => name.length));
    for (const { name, title } of entries) process.stdout.write(`${name.padEnd(width)}${title}\n`);
  }
}

async function runTarget(target: string, flags: RunFlags): Promise<void> {
  const found = await findExperiment(target);
  const experiment = flags.seeds === undefined ? found : withSeeds(found, flags.seeds);
  const shard = flags.shard === undefined ? WHOLE : parseShard(flags.shard, process.env);
  const out = flags.out ?? (flags.json ? null : freshDirectory(experiment.name, flags.resume));
  const line = new ProgressLine();
  const results = await runExperiment(experiment, {
    shard,
    jobs: flags.jobs ?? defaultJobs(),
    out,
    resume: flags.resume,
    signal: interruptible(),
    onProgress: (progress) => line.show(() => progressText(progress)),
  }).finally(() => line.clear());
  if (flags.json) printJson(experiment, results);
  else {
    process.stdout.write(`${resultText(experiment, results)}\n`);
    process.stderr.write(`results in ${out}; see them with: coterie report ${out} --html report.html\n`);
  }
}

function progressText({ cells, cellsDone, rounds, roundsDone, secondsLeft }: Progress): string {
  const left = secondsLeft === null ? "time left not known yet" : `${duration(secondsLeft)} left`;
  return `${cellsDone} of ${cells} runs, ${roundsDone} of ${rounds} rounds, ${left}`;
}

/** The experiment's own table, where it has one; else a chart, and a table for each world. */
function resultText(experiment: Experiment, results: readonly Result[]): string {
  const own = tableOf({ name: experiment.name, experiment: experiment.source, results });
  if (own !== null) return textTable(own, terminal());
  const known = results.some(({ row }) => row.regret !== null);
  const chart = terminalChart(results, known ? "regret" : "rewardOverRandom", terminal());
  const rows = results.map(({ row }) => row);
  return `${chart}\n${terminalTable(rows, terminal())}`;
}

async function findExperiment(target: string): Promise<Experiment> {
  const named = builtIn(target);
  if (named !== null) return named;
  if (!/[./\\]/.test(target) && !existsSync(target)) {
    throw new ConfigError(
      "the experiment",
      target,
      `be a file, or one of ${builtIns.map(({ name }) => name).join(", ")}`,
    );
  }
  return loadJson(target, (document) => loadExperiment(document, dirname(target)));
}

/** runs/NAME, or runs/NAME-2 and so on where that is taken: results are never overwritten. */
function freshDirectory(name: string, resume: boolean): string {
  const base = `runs/${name.replace(/[^\w.-]+/g, "-")}`;
  if (resume) return base;
  for (let k = 1; ; k++) {
    const path = k === 1 ? base : `${base}-${k}`;
    if (!existsSync(path)) return path;
  }
}

function printJson(experiment: Experiment, results: readonly Result[]): void {
  const rows = results.map(({ row }) => row);
  process.stdout.write(`${JSON.stringify({ experiment: experiment.name, rows })}\n`);
}
