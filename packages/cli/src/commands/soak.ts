import { buildCommand } from "@stricli/core";
import { optionalText, whole, yes } from "../flags.ts";
import { CheckNotMet, guarded, interruptible } from "../guard.ts";
import { duration, ProgressLine } from "../progress.ts";

interface SoakFlags {
  readonly rounds: number;
  readonly peers: number;
  readonly seed: number;
  readonly flood: number;
  readonly leak: number;
  readonly pace: number;
  readonly samples?: string;
  readonly policy: "kindred" | "dcb";
  readonly json: boolean;
}

export const soakCommand = buildCommand<SoakFlags>({
  docs: {
    brief: "Hours of a room of real peers in a flood of garbage: does memory grow?",
    fullDescription:
      "Runs real peers in this process (libp2p over loopback, stores on the disk) round after round without waiting for their clocks, or with --pace 10000 at the pace of a peer's own clock. After a quarter of the rounds somebody in the room begins to send garbage, under one name after the other. Memory is measured after a forced collection, and a line fitted to it: growth per peer and hour of its own clock (360 rounds), with its 95 % interval. More than 1 MB an hour for sure, fewer than 80 % of the meetings per tick, or a reward that is lost ends with exit code 3. Interrupted (Ctrl-C or SIGTERM), it reports what was measured until then, and ends with exit code 130; --samples FILE gets every measurement at once, with the growth so far, so that even a killed run has its figure. The 17 hours of docs/reliability.md at a peer's own pace: `coterie soak --rounds 6120 --peers 3 --pace 10000 --flood 2 --samples soak.jsonl`.",
  },
  parameters: {
    flags: {
      rounds: whole("--rounds", 200, 100_000_000, "how many rounds", "20000"),
      peers: whole("--peers", 2, 100, "peers in the room", "6"),
      seed: whole("--seed", 0, Number.MAX_SAFE_INTEGER, "draws items", "1"),
      flood: whole("--flood", 0, 10_000, "messages of garbage a second", "200"),
      leak: whole("--leak", 0, 100_000_000, "bytes to leak each round, to see that it is noticed", "0"),
      pace: whole("--pace", 0, 3_600_000, "milliseconds from one round to the next; 0: as fast as they can", "0"),
      samples: optionalText("FILE", "write every measurement there at once, as lines of JSON"),
      policy: { kind: "enum", values: ["kindred", "dcb"], default: "kindred", brief: "what peers run" },
      json: yes("print JSON"),
    },
  },
  func({ json, ...options }) {
    return guarded(async () => {
      const { soak, soakText } = await import("@coterie/storm");
      const line = new ProgressLine();
      const signal = interruptible();
      const report = await soak({
        ...options,
        signal,
        onProgress: (round) => {
          const left = (line.seconds / Math.max(1, round)) * (options.rounds - round);
          line.show(() => `${round}/${options.rounds} rounds, ${duration(left)} left`);
        },
      }).finally(() => line.clear());
      process.stdout.write(json ? `${JSON.stringify(report)}\n` : soakText(report));
      if (report.failures.length > 0) throw new CheckNotMet(report.failures[0] ?? "");
      signal.throwIfAborted();
    });
  },
});
