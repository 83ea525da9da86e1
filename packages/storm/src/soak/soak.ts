import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Policy, parsePolicy } from "@coterie/core";
import { CHAOS_POLICIES, type ChaosPolicy } from "../chaos/task.ts";
import type { Flooded, FloodTask } from "./flood.ts";
import { SoakRoom } from "./room.ts";
import { MemoryWatch, ROUNDS_PER_HOUR } from "./watch.ts";

export interface SoakOptions {
  readonly rounds: number;
  readonly peers: number;
  readonly policy: ChaosPolicy;
  readonly seed: number;
  /** Garbage a second. */
  readonly flood: number;
  /** Bytes that are kept for ever each round, to see that it is noticed. */
  readonly leak: number;
  /** From the start of one round to that of the next, in milliseconds; 0: as fast as they can. */
  readonly pace: number;
  /** A file that gets every sample at once. */
  readonly samples?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (round: number) => void;
}

export interface SoakReport {
  readonly rounds: number;
  readonly peers: number;
  readonly policy: ChaosPolicy;
  /** What these rounds are at the pace of a peer's own clock. */
  readonly hours: number;
  /** Growth of a peer's memory, in MB per hour of its life, under the flood; and half of the 95 % interval. */
  readonly slopeMbPerHour: number;
  readonly plusMinus: number;
  readonly heapMb: number;
  /** Meetings per tick before the flood and during it. */
  readonly calmRate: number;
  readonly floodRate: number;
  readonly roundsPerSecond: readonly [calm: number, flooded: number];
  readonly flooded: Flooded;
  readonly violations: number;
  readonly failures: readonly string[];
}

/** The bars. */
const MOST_MB_PER_HOUR = 1;
const LEAST_RATE = 0.8;

/** Memory is measured so many times, and where rounds have a pace once a minute at least. */
const SAMPLES = 80;
const MINUTE_MS = 60_000;
/** The part of the rounds that comes before the flood. */
const CALM = 0.25;

/** A room of real peers lives through hours of rounds, as fast as it can or at a pace, most of them in a flood; its memory is watched. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), "coterie-soak-"));
  const policy = parsePolicy("policy", CHAOS_POLICIES[options.policy]) as Policy;
  const room = new SoakRoom(folder, policy, options.seed);
  try {
    await room.open(options.peers);
    return await run(options, room);
  } finally {
    await room.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ticks, meetings and time of one part of a soak. */
interface Stretch {
  readonly rate: number;
  readonly roundsPerSecond: number;
}

async function run(options: SoakOptions, room: SoakRoom): Promise<SoakReport> {
  const { rounds, peers } = options;
  const memory = new MemoryWatch(peers, options.samples);
  const calm = await live(options, room, 0, Math.floor(CALM * rounds), memory);
  const flood = startFlood(options.flood, room);
  let wet: Stretch;
  let flooded: Flooded;
  try {
    wet = await live(options, room, Math.floor(CALM * rounds), rounds, memory);
  } finally {
    flooded = await flood.stop();
  }
  const { perUnit, plusMinus } = memory.growth(rounds);
  const report = {
    rounds,
    peers,
    policy: options.policy,
    hours: rounds / ROUNDS_PER_HOUR,
    slopeMbPerHour: perUnit,
    plusMinus,
    heapMb: memory.lastMb,
    calmRate: calm.rate,
    floodRate: wet.rate,
    roundsPerSecond: [calm.roundsPerSecond, wet.roundsPerSecond] as const,
    flooded,
    violations: room.violations(),
  };
  return { ...report, failures: [...room.failures(), ...judge(report)] };
}

function judge(report: Omit<SoakReport, "failures">): string[] {
  const { slopeMbPerHour, plusMinus, calmRate, floodRate, flooded, violations } = report;
  const failures: string[] = [];
  // Surely above: a short soak cannot tell a slope of nothing from a small one.
  if (slopeMbPerHour - plusMinus > MOST_MB_PER_HOUR) {
    failures.push(`memory grows by ${slopeMbPerHour.toFixed(2)} ± ${plusMinus.toFixed(2)} MB an hour`);
  }
  if (floodRate < LEAST_RATE * calmRate) {
    failures.push(`meetings per tick fell from ${calmRate.toFixed(3)} to ${floodRate.toFixed(3)} in the flood`);
  }
  if (flooded.messages > 0 && violations === 0) failures.push("nobody noticed the flood");
  return failures;
}

/** Plays rounds from `from` to `to`, and notes the memory now and then. */
async function live(
  { rounds, leak, pace, signal, onProgress }: SoakOptions,
  room: SoakRoom,
  from: number,
  to: number,
  memory: MemoryWatch,
): Promise<Stretch> {
  const perMinute = pace === 0 ? Number.POSITIVE_INFINITY : MINUTE_MS / pace;
  const every = Math.max(1, Math.floor(Math.min(rounds / SAMPLES, perMinute)));
  const [ticks, met] = [room.ticks, room.met];
  const began = performance.now();
  for (let round = from; round < to; round++) {
    signal?.throwIfAborted();
    if (leak > 0) LEAKED.push(new Uint8Array(leak));
    await room.round();
    if (round % every === 0) {
      memory.note(round, { ticks: room.ticks, met: room.met, violations: room.violations() });
      onProgress?.(round);
    }
    // By the clock and not by a pause: rounds that took long do not add up.
    const early = began + (round - from + 1) * pace - performance.now();
    if (early > 0) await sleep(early, undefined, { signal });
  }
  const seconds = (performance.now() - began) / 1000;
  return { rate: (room.met - met) / Math.max(1, room.ticks - ticks), roundsPerSecond: (to - from) / seconds };
}

/** What is never let go. */
const LEAKED: Uint8Array[] = [];

function startFlood(perSecond: number, room: SoakRoom): { stop(): Promise<Flooded> } {
  const nothing: Flooded = { messages: 0, connections: 0, names: 0 };
  const { agreed } = room;
  if (perSecond === 0 || agreed === null) return { stop: async () => nothing };
  const addresses = room.networks.flatMap((network) => network.addresses().slice(0, 1));
  const { name, agreement } = agreed;
  const workerData: FloodTask = { room: { name, agreement }, addresses, perSecond };
  const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData });
  const ended = new Promise<Flooded>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  ended.catch(() => {});
  return {
    async stop() {
      worker.postMessage("stop");
      return ended.finally(() => worker.terminate());
    },
  };
}

export function soakText(report: SoakReport): string {
  const { slopeMbPerHour, plusMinus, roundsPerSecond, flooded, failures } = report;
  return [
    `${report.rounds} rounds of ${report.peers} peers (${report.policy}): ${report.hours.toFixed(1)} hours at the pace of their own clock`,
    `memory of a peer: ${slopeMbPerHour.toFixed(3)} ± ${plusMinus.toFixed(3)} MB an hour; ${report.heapMb.toFixed(1)} MB for all at the end`,
    `flood: ${flooded.messages} messages and ${flooded.connections} connections of garbage under ${flooded.names} names, ${report.violations} violations counted`,
    `meetings per tick: ${report.calmRate.toFixed(3)} before the flood, ${report.floodRate.toFixed(3)} in it (${roundsPerSecond.map((rate) => rate.toFixed(0)).join(" and ")} rounds a second)`,
    ...(failures.length === 0 ? ["no check failed"] : failures.map((failure) => `FAILED: ${failure}`)),
    "",
  ].join("\n");
}
