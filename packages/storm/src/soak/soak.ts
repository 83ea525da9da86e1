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
  /** Ends it early: what was measured until then is reported. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (round: number) => void;
}

export interface SoakReport {
  /** How many were lived through, and how many of them were asked for. */
  readonly rounds: number;
  readonly asked: number;
  readonly peers: number;
  readonly policy: ChaosPolicy;
  /** What these rounds are at the pace of a peer's own clock. */
  readonly hours: number;
  /**
   * Growth of a peer's memory, in MB per hour of its life, under the flood; and half of the 95 % interval. Null where it ended
   * too early to tell.
   */
  readonly slopeMbPerHour: number | null;
  readonly plusMinus: number | null;
  readonly heapMb: number;
  /** Meetings per tick before the flood and during it; null where it had not come. */
  readonly calmRate: number;
  readonly floodRate: number | null;
  readonly roundsPerSecond: readonly [calm: number, flooded: number | null];
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
  readonly rounds: number;
  readonly rate: number;
  readonly roundsPerSecond: number;
}

async function run(options: SoakOptions, room: SoakRoom): Promise<SoakReport> {
  const { rounds: asked, peers, signal } = options;
  const memory = new MemoryWatch(peers, options.samples);
  const calm = await live(options, room, 0, Math.floor(CALM * asked), memory);
  const flood = startFlood(signal?.aborted === true ? 0 : options.flood, room);
  let wet: Stretch;
  let flooded: Flooded;
  try {
    wet = await live(options, room, Math.floor(CALM * asked), asked, memory);
  } finally {
    flooded = await flood.stop();
  }
  const rounds = calm.rounds + wet.rounds;
  const growth = memory.growth(rounds);
  const report = {
    rounds,
    asked,
    peers,
    policy: options.policy,
    hours: rounds / ROUNDS_PER_HOUR,
    slopeMbPerHour: growth?.perUnit ?? null,
    plusMinus: growth?.plusMinus ?? null,
    heapMb: memory.lastMb,
    calmRate: calm.rate,
    floodRate: wet.rounds === 0 ? null : wet.rate,
    roundsPerSecond: [calm.roundsPerSecond, wet.rounds === 0 ? null : wet.roundsPerSecond] as const,
    flooded,
    violations: room.violations(),
  };
  return { ...report, failures: [...room.failures(), ...judge(report)] };
}

function judge(report: Omit<SoakReport, "failures">): string[] {
  const { slopeMbPerHour, plusMinus, calmRate, floodRate, flooded, violations } = report;
  const failures: string[] = [];
  // Surely above: a short soak cannot tell a slope of nothing from a small one.
  if (slopeMbPerHour !== null && plusMinus !== null && slopeMbPerHour - plusMinus > MOST_MB_PER_HOUR) {
    failures.push(`memory grows by ${slopeMbPerHour.toFixed(2)} ± ${plusMinus.toFixed(2)} MB an hour`);
  }
  if (floodRate !== null && floodRate < LEAST_RATE * calmRate) {
    failures.push(`meetings per tick fell from ${calmRate.toFixed(3)} to ${floodRate.toFixed(3)} in the flood`);
  }
  if (report.rounds === report.asked && flooded.messages > 0 && violations === 0)
    failures.push("nobody noticed the flood");
  return failures;
}

/** Plays rounds from `from` to `to`, or until it is told to end, and notes the memory now and then. */
async function live(
  { rounds: asked, leak, pace, signal, onProgress }: SoakOptions,
  room: SoakRoom,
  from: number,
  to: number,
  memory: MemoryWatch,
): Promise<Stretch> {
  const perMinute = pace === 0 ? Number.POSITIVE_INFINITY : MINUTE_MS / pace;
  const every = Math.max(1, Math.floor(Math.min(asked / SAMPLES, perMinute)));
  const [ticks, met] = [room.ticks, room.met];
  const began = performance.now();
  let round = from;
  for (; round < to && signal?.aborted !== true; round++) {
    if (leak > 0) LEAKED.push(new Uint8Array(leak));
    await room.round();
    if (round % every === 0) {
      memory.note(round, { ticks: room.ticks, met: room.met, violations: room.violations() });
      onProgress?.(round);
    }
    // By the clock and not by a pause: rounds that took long do not add up.
    const early = began + (round - from + 1) * pace - performance.now();
    if (early > 0) await sleep(early, undefined, { signal }).catch(() => {});
  }
  const seconds = (performance.now() - began) / 1000;
  const rounds = round - from;
  return { rounds, rate: (room.met - met) / Math.max(1, room.ticks - ticks), roundsPerSecond: rounds / seconds };
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
  const { rounds, asked, slopeMbPerHour, plusMinus, roundsPerSecond, flooded, failures } = report;
  const [calm, wet] = [report.calmRate, report.floodRate].map((rate) => figure(rate, 3));
  const early = rounds < asked ? ` (ended early, ${asked} were asked for)` : "";
  return [
    `${rounds} rounds of ${report.peers} peers (${report.policy}): ${report.hours.toFixed(1)} hours at the pace of their own clock${early}`,
    `memory of a peer: ${figure(slopeMbPerHour, 3)} ± ${figure(plusMinus, 3)} MB an hour; ${report.heapMb.toFixed(1)} MB for all at the end`,
    `flood: ${flooded.messages} messages and ${flooded.connections} connections of garbage under ${flooded.names} names, ${report.violations} violations counted`,
    `meetings per tick: ${calm} before the flood, ${wet} in it (${roundsPerSecond.map((rate) => figure(rate, 0)).join(" and ")} rounds a second)`,
    ...(failures.length === 0 ? ["no check failed"] : failures.map((failure) => `FAILED: ${failure}`)),
    "",
  ].join("\n");
}

const figure = (value: number | null, digits: number): string => value?.toFixed(digits) ?? "unknown";
