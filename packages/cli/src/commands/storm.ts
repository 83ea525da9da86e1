import { parseExperiment } from "@coterie/lab";
import { buildCommand } from "@stricli/core";
import { optionalText, optionalWhole, share, whole, yes } from "../flags.ts";
import { CheckNotMet, guarded, interruptible } from "../guard.ts";
import { duration, ProgressLine } from "../progress.ts";

interface StormFlags {
  readonly seeds: number;
  readonly from: number;
  readonly peers?: number;
  readonly rounds?: number;
  readonly mutant?: string;
  readonly jobs?: number;
  readonly fuzz?: number;
  readonly attack?: string;
  readonly damage?: number;
  readonly room?: number;
  readonly churn: number;
  readonly seconds: number;
  readonly kindred: boolean;
  readonly noise: number;
  readonly returning: number;
  readonly json: boolean;
}

export const stormCommand = buildCommand<StormFlags>({
  docs: {
    brief: "Fault simulation of real peers: loss, crashes, damaged disks, partitions, liars",
    fullDescription:
      "Runs whole rooms of the shipped peers, their stores and their membership in virtual time over a network and disks that fail as the seed says, and checks that no acknowledged reward is lost or counted twice, that no mass is lost, that nothing grows without a bound and that the room heals. A seed that fails is told as its shortest story, and ends with exit code 3; `--seeds 1 --from SEED` plays it again exactly. `--mutant NAME` plants a bug first (`--mutant list` names them): the storm must catch it. `--fuzz N`, `--attack NAME` and `--damage N` run those tests instead; `--room N --churn RATE` measures the shipped node in a room of N tabs that come and go (docs/scale.md).",
  },
  parameters: {
    flags: {
      seeds: whole("--seeds", 1, 1_000_000, "how many seeds", "20"),
      from: whole("--from", 0, Number.MAX_SAFE_INTEGER - 1_000_000, "the first seed", "1"),
      peers: optionalWhole("--peers", "N", "peers in every room (default: 4 to 20, as the seed says)", 3, 100),
      rounds: optionalWhole("--rounds", "N", "rounds of storm (default: 20 to 200, as the seed says)", 4, 10_000),
      mutant: optionalText("NAME", "plant a bug, or `list` them"),
      jobs: optionalWhole("--jobs", "N", "seeds at once (default: one per core)", 1, 256),
      fuzz: optionalWhole("--fuzz", "N", "instead, feed every decoder N inputs in all", 1, 1_000_000_000),
      attack: optionalText(
        "NAME",
        "instead, measure an attack: bias, two-faced, regret, boasts, origins (eight seeds, from --from), bad-start, names, silent, third-party, office (nobody attacks: all at one address prefix, on a bad network) or all",
      ),
      damage: optionalWhole(
        "--damage",
        "N",
        "instead, damage a peer's store N times and start the peer each time",
        1,
        1_000_000,
      ),
      room: optionalWhole("--room", "N", "instead, let a room of N tabs live, and measure it", 2, 1_000_000),
      churn: share("--churn", "with --room: the share of members that goes, and is replaced, in a second", "0.01"),
      seconds: whole("--seconds", 10, 3600, "with --room: how long it is measured, after as long to settle", "60"),
      kindred: yes(
        "with --room: members learn with kindred, from a choice a second, instead of knowing kinds without noise",
      ),
      noise: share("--noise", "with --kindred: the deviation of a reward from its mean", "0.5"),
      returning: share(
        "--returning",
        "with --kindred: the share of those who come that were there the day before",
        "0",
      ),
      json: yes("print JSON"),
    },
  },
  func(flags) {
    return guarded(async () => {
      if (flags.room !== undefined) await runRoom(flags, flags.room);
      else if (flags.damage !== undefined) await runDamage(flags.damage, flags.from, flags.json);
      else if (flags.fuzz !== undefined) await runFuzz(flags.fuzz, flags.from, flags.json);
      else if (flags.attack !== undefined) await runAttack(flags.attack, flags.json, flags.from);
      else if (flags.mutant === "list") await list(flags.json);
      else await runSeeds(flags);
    });
  },
});

/** Of single damages, those that must lose nothing that was acknowledged before the last snapshot. */
const LEAST_KEPT = 0.95;

/** Only when it is asked for: no other command should wait for it to load. */
const load = () => import("@coterie/storm");

async function list(json: boolean): Promise<void> {
  const mutants = (await load()).MUTANTS.map(({ name, brief }) => ({ name, brief }));
  if (json) process.stdout.write(`${JSON.stringify({ mutants })}\n`);
  else for (const { name, brief } of mutants) process.stdout.write(`${name.padEnd(32)}${brief}\n`);
}

/** A small experiment file, for the fuzzer to begin with. */
const EXPERIMENT = {
  name: "small",
  worlds: [{ kind: "clusters", name: "two", peers: 4, clusters: 2, dimension: 3, arms: 3, noise: 0.5 }],
  policies: [{ kind: "random" }, { kind: "dcb", delay: { rounds: 2 } }],
  rounds: 10,
  seeds: [1, 2],
};

async function runFuzz(count: number, seed: number, json: boolean): Promise<void> {
  const { fuzz, jsonTarget, targets } = await load();
  const http = await import("@coterie/server").then(({ httpTarget }) => httpTarget());
  const all = [...targets(), jsonTarget("experiment", [EXPERIMENT], parseExperiment), http];
  const report = await fuzz(count, seed, all);
  const { inputs, read, refused, findings } = report;
  const lines = findings.map(({ target, message, hex }) => `${target}: ${message}\n  ${hex}`);
  const text = [`${inputs} inputs: ${read} read, ${refused} refused with a typed error`, ...lines].join("\n");
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${text}\n`);
  if (findings.length > 0) throw new CheckNotMet(`${findings.length} inputs were handled wrongly`);
}

/** Kinds of which a room's members are: a twentieth are kin, as in the figures of docs/scale.md. */
const KINDS = 20;

async function runRoom(flags: StormFlags, members: number): Promise<void> {
  const { churn, seconds, kindred, noise, returning, from, mutant, json } = flags;
  const { mutantOf, playRoom, roomText } = await load();
  const line = new ProgressLine();
  const undo = mutant === undefined ? undefined : mutantOf(mutant).plant?.();
  const onSecond = (done: number, of: number): void => line.show(() => `${done}/${of} s of the room`);
  const options = {
    members,
    churn,
    kinds: KINDS,
    ...(kindred ? { learning: "kindred" as const, noise, returning } : { learning: "kinds" as const }),
    seed: from,
    seconds,
    halves: true,
  };
  let report: ReturnType<typeof playRoom>;
  try {
    report = playRoom(options, onSecond);
  } finally {
    line.clear();
    undo?.();
  }
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : roomText(report));
  if (report.faults.length > 0) throw new CheckNotMet(`${report.faults.length} invariants of the view were violated`);
}

async function runDamage(seeds: number, from: number, json: boolean): Promise<void> {
  const { damage, damageText, withChildren } = await load();
  const line = new ProgressLine();
  const signal = interruptible();
  const onSeed = (done: number): void =>
    line.show(() => `${done}/${seeds} damages, ${duration((line.seconds / done) * (seeds - done))} left`);
  const report = await withChildren((start) => damage({ seeds, from, start, onSeed, signal })).finally(() =>
    line.clear(),
  );
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : damageText(report));
  const { failures, kept } = report;
  if (failures.length > 0) throw new CheckNotMet(`${failures.length} of ${seeds} damages were handled wrongly`);
  if (kept < LEAST_KEPT * seeds)
    throw new CheckNotMet(`${kept} of ${seeds} damages kept everything of the last snapshot`);
}

async function runAttack(name: string, json: boolean, from: number): Promise<void> {
  // Where no seed was given each has seeds of its own.
  const attacks = (await load()).attack(name, from === 1 ? undefined : from);
  const row = ({ attack, defence, figure, reach }: (typeof attacks)[number]): string =>
    `${attack.padEnd(52)}${defence.padEnd(30)}${figure.toFixed(3)}   ${reach}`;
  process.stdout.write(json ? `${JSON.stringify({ attacks })}\n` : `${attacks.map(row).join("\n")}\n`);
}

async function runSeeds({ seeds, from, peers, rounds, mutant, jobs, json }: StormFlags): Promise<void> {
  const { mutantOf, reportText, runStorm, storyOf } = await load();
  const planted = mutant === undefined ? null : mutantOf(mutant).name;
  const line = new ProgressLine();
  let done = 0;
  const outcomes = await runStorm({
    seeds,
    from,
    ...(peers === undefined ? {} : { peers }),
    ...(rounds === undefined ? {} : { rounds }),
    mutant: planted,
    ...(jobs === undefined ? {} : { jobs }),
    // A planted bug is caught once; without one every seed counts.
    untilFailure: planted !== null,
    signal: interruptible(),
    onOutcome: () => {
      done += 1;
      line.show(() => `${done}/${seeds} seeds, ${duration((line.seconds / done) * (seeds - done))} left`);
    },
  }).finally(() => line.clear());
  const story = await storyOf(outcomes, planted);
  process.stdout.write(json ? `${JSON.stringify({ outcomes, story })}\n` : reportText(outcomes, story));
  const failed = outcomes.filter(({ failure }) => failure !== null).length;
  if (story !== null) throw new CheckNotMet(`${failed} of ${outcomes.length} seeds failed, the first is ${story.seed}`);
}
