import type { PacketCount } from "./loss.ts";
import type { ChaosPlan } from "./plan.ts";

/** Policies that real processes are tried with, as `coterie peer --policy` takes them. */
export const CHAOS_POLICIES = {
  /** The default of a peer. */
  kindred: { kind: "kindred" },
  /** One slot is worth what it says whoever holds it, so that the sums of all peers can be weighed. */
  dcb: { kind: "dcb", weight: "mean", delay: { rounds: 30 } },
} as const;

export type ChaosPolicy = keyof typeof CHAOS_POLICIES;

/** What the process on the ground is told. */
export interface ChaosTask {
  readonly plan: ChaosPlan;
  readonly policy: ChaosPolicy;
  /** How to start `coterie`. */
  readonly command: readonly string[];
  /** For stores and keys; whoever gave the task takes it away. */
  readonly folder: string;
  /** A folder for the logs of all processes, at the level debug; null keeps none. */
  readonly logs: string | null;
  /** The process whose namespaces these are; null on the machine's own loopback. */
  readonly namespacesOf: number | null;
}

export interface Times {
  readonly count: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

export interface ChaosReport {
  readonly seed: number;
  readonly peers: number;
  readonly seconds: number;
  readonly policy: ChaosPolicy;
  readonly ground: "namespaces" | "loopback";
  readonly loss: "packets" | "stalls";
  /** Packets that came in while they were being lost. */
  readonly packets: PacketCount;
  readonly faults: readonly string[];
  /** Acknowledged rewards, and choices that a peer said it had forgotten. */
  readonly rewards: number;
  readonly forgotten: number;
  /** Requests of users without an answer. */
  readonly unanswered: number;
  readonly restarts: number;
  /** From the kill of a peer until another one no longer takes it for a partner. */
  readonly death: Times;
  /** From the end of all faults until a peer has met somebody and sees everybody. */
  readonly heal: Times;
  readonly mostMemoryMb: number;
  /** Exchanges given up in doubt, and how far the sums of all peers are off where they were weighed. */
  readonly givenUp: number;
  /** Rewards from before a peer found that its taste had changed. Nobody's does here: each is a false alarm. */
  readonly outdated: number;
  readonly massOff: number | null;
  /** What the logs of all processes said, by message; lines that say the same often are counted there. */
  readonly logged: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
}

export function timesOf(values: readonly number[]): Times {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { count: sorted.length, medianMs: at(0.5), p99Ms: at(0.99), mostMs: at(1) };
}

export function chaosText(report: ChaosReport): string {
  const { death, heal, failures, massOff, givenUp } = report;
  const span = ({ count, medianMs, p99Ms, mostMs }: Times): string =>
    count === 0 ? "not measured" : `median ${medianMs} ms, p99 ${p99Ms} ms, most ${mostMs} ms (${count} times)`;
  const { heard, dropped } = report.packets;
  const share = ((100 * dropped) / Math.max(1, heard)).toFixed(1);
  const weighed = massOff === null ? "not weighed" : `off by ${massOff.toExponential(1)}`;
  return [
    `seed ${report.seed}: ${report.peers} peers, ${report.seconds} s, ${report.policy}, ${report.ground}, loss of ${report.loss}`,
    ...report.faults,
    `${report.rewards} rewards acknowledged, ${report.forgotten} choices forgotten, ${report.unanswered} requests unanswered`,
    ...(report.outdated > 0
      ? [`${report.outdated} of those rewards set aside: a peer took its taste for changed`]
      : []),
    ...(report.loss === "packets" ? [`${dropped} of ${heard} packets lost while loss lasted (${share} %)`] : []),
    `${report.restarts} restarts, at most ${report.mostMemoryMb} MB a process`,
    `a dead peer is no longer chosen: ${span(death)}`,
    `healed: ${span(heal)}`,
    ...(report.policy === "dcb" ? [`sums of all peers: ${weighed}, ${givenUp} exchanges given up`] : []),
    `logged: ${Object.entries(report.logged)
      .map(([message, count]) => `${message} ${count}`)
      .join(", ")}`,
    ...(failures.length === 0 ? ["no check failed"] : failures.map((failure) => `FAILED: ${failure}`)),
    "",
  ].join("\n");
}
