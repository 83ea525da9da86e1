import { ConfigError } from "@coterie/core";
import type { DemoSummary } from "@coterie/server";
import { buildCommand } from "@stricli/core";
import { optionalText, optionalWhole, yes } from "../flags.ts";
import { guarded, interruptible } from "../guard.ts";

interface DemoFlags {
  readonly peers?: number;
  readonly rounds?: number;
  readonly port?: number;
  readonly policy?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly json: boolean;
}

/** What libp2p still holds open must not hold up whoever pressed Ctrl-C. */
const LINGER_MS = 100;
/** However far it has come, this long after Ctrl-C all of it is ended: before two seconds are over. */
const LIMIT_MS = 1800;

export const demoCommand = buildCommand<DemoFlags>({
  docs: {
    brief: "A live network of real peers on this machine, and a page that shows it",
    fullDescription:
      "Starts a hub and real peers that talk over libp2p, each with a made-up person of hidden taste, and serves a page on 127.0.0.1 that shows them learn. The address that is printed carries a token: whoever opens it may also add and kill peers, cut the network and make a peer lie. With --rounds it stops when every person has chosen so often, and prints what came of it.",
  },
  parameters: {
    flags: {
      peers: optionalWhole("--peers", "N", "how many peers (default 24)", 2, 500),
      rounds: optionalWhole("--rounds", "N", "stop after so many choices each", 1, 1_000_000),
      port: optionalWhole("--port", "P", "of the page (default: any free one)", 0, 65_535),
      policy: optionalText("KIND", "kindred (default), dccb or dcb"),
      record: optionalText("FILE", "write the recording to a file"),
      replay: optionalText("FILE", "show a recording instead"),
      json: yes("print the summary as JSON"),
    },
  },
  func(flags) {
    return guarded(async () => {
      if (flags.json && flags.rounds === undefined) throw new ConfigError("--json", "alone", "come with --rounds");
      if (flags.replay !== undefined) await replay(flags.replay, flags);
      else await demo(flags);
    });
  },
});

async function demo({ json, replay: _, ...options }: DemoFlags): Promise<void> {
  const signal = interruptible();
  signal.addEventListener("abort", () => setTimeout(() => process.exit(130), LIMIT_MS).unref());
  const say = (text: string): unknown => process.stderr.write(`${text}\n`);
  const onProgress = (up: number, all: number): void => {
    if (up === all || up % 8 === 0) say(`${up} of ${all} peers are up`);
  };
  // Loaded here: no other command needs a network.
  const { startDemo } = await import("@coterie/server");
  const running = await startDemo({ ...options, onProgress });
  // With --json standard output belongs to the document.
  (json ? process.stderr : process.stdout).write(`${running.url}\n`);
  const interrupted = untilAborted(signal);
  try {
    const won = await Promise.race([running.done.then(() => "done" as const), interrupted]);
    if (won === "done" && json) process.stdout.write(`${JSON.stringify(running.summary())}\n`);
    else if (options.rounds !== undefined) process.stdout.write(described(running.summary()));
  } finally {
    await running.stop();
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
  if (signal.aborted) process.exitCode = 130;
}

async function replay(file: string, { port, ...rest }: DemoFlags): Promise<void> {
  for (const name of ["peers", "rounds", "policy", "record"] as const) {
    if (rest[name] !== undefined) throw new ConfigError(`--${name}`, rest[name], "not be given with --replay");
  }
  const signal = interruptible();
  const { startReplay } = await import("@coterie/server");
  const running = await startReplay(file, port);
  process.stdout.write(`${running.url}\n`);
  await untilAborted(signal);
  await running.stop();
  process.exitCode = 130;
}

function untilAborted(signal: AbortSignal): Promise<"interrupted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("interrupted");
    signal.addEventListener("abort", () => resolve("interrupted"), { once: true });
  });
}

const kB = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

function described(summary: DemoSummary): string {
  const { policy, peers, clusters, seconds, choices, reward, aloneReward, regret, aloneRegret } = summary;
  const { groups, exact, sentBytes, exchangeBytes, exchanges, troubles } = summary;
  const outcomes = Object.entries(exchanges).map(([outcome, times]) => `${outcome} ${times}`);
  const lines = [
    `${peers} peers of ${clusters} tastes, policy ${policy}, ${choices} choices in ${seconds} s`,
    `reward a choice  ${reward.toFixed(3)}, the same peers alone ${aloneReward.toFixed(3)}`,
    `regret a choice  ${regret.toFixed(3)}, the same peers alone ${aloneRegret.toFixed(3)}`,
    `groups           ${groups.length === 0 ? "none" : groups.join(", ")}; ${exact} of ${peers} pool with exactly their own kind`,
    `sent             ${kB(sentBytes)}, ${kB(exchangeBytes)} of it in exchanges`,
    `exchanges        ${outcomes.length === 0 ? "none" : outcomes.join(", ")}`,
    ...(troubles > 0 ? [`troubles         ${troubles}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
