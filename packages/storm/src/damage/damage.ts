import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "@coterie/net";
import { doHarm, drawHarm, HARMS, type Harm } from "./harm.ts";
import { type DamagePolicy, live, openPeer, POLICIES, type StartResult } from "./start.ts";

/** Something that must never happen, and the seed that shows it. */
export interface DamageFailure {
  readonly seed: number;
  readonly policy: DamagePolicy;
  readonly harm: Harm;
  readonly what: string;
}

/** How many damages of a kind there were, and how many of them lost nothing that stood in the last snapshot. */
export interface Kept {
  readonly seeds: number;
  readonly kept: number;
}

export interface DamageReport {
  readonly seeds: number;
  readonly running: number;
  /** With a typed refusal, nothing touched. */
  readonly refused: number;
  /** Of those running: nothing at all was lost. */
  readonly lostNothing: number;
  /** Nothing was lost that was acknowledged before the last snapshot. */
  readonly kept: number;
  readonly byKind: Readonly<Record<Harm["kind"], Kept>>;
  /** Ends of the process, untyped errors, losses that nobody told of, peers that did not go on. */
  readonly failures: readonly DamageFailure[];
}

export interface DamageOptions {
  readonly seeds: number;
  readonly from: number;
  /** Starts a peer on a store, in a process that may die. */
  readonly start: (path: string, policy: DamagePolicy) => Promise<StartResult>;
  readonly onSeed?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** A store to be damaged, and what it holds. */
interface Sound {
  readonly now: string;
  readonly earlier: string;
  readonly origin: string | null;
  /** Observations that were acknowledged, and those that stand in the last snapshot. */
  readonly own: number;
  readonly snapshot: number;
}

/** Long enough for two snapshots and a log behind each; opened several times, so that the log has several files. */
const LIVES = [60, 50, 50, 20];

async function sound(folder: string, policy: DamagePolicy): Promise<Sound> {
  const [now, earlier] = [join(folder, policy), join(folder, `${policy}-earlier`)];
  let state = { own: 0, origin: null as string | null };
  for (const [k, rewards] of LIVES.entries()) {
    const peer = await openPeer(now, policy);
    await live(peer, rewards);
    state = peer.state();
    await peer.close();
    if (k === 1) cpSync(now, earlier, { recursive: true });
  }
  const since = (await inspect(now)).entries.observe?.count ?? 0;
  return { now, earlier, origin: state.origin, own: state.own, snapshot: state.own - since };
}

/** Damages the store of a peer once for each seed, starts the peer, and counts what is lost and what is said of it. */
export async function damage({ seeds, from, start, onSeed, signal }: DamageOptions): Promise<DamageReport> {
  const folder = mkdtempSync(join(tmpdir(), "coterie-damage-"));
  const failures: DamageFailure[] = [];
  const byKind = Object.fromEntries(HARMS.map((kind) => [kind, { seeds: 0, kept: 0 }]));
  const counts = { running: 0, refused: 0, lostNothing: 0, kept: 0 };
  try {
    const stores = new Map<DamagePolicy, Sound>();
    for (const policy of POLICIES) stores.set(policy, await sound(folder, policy));
    for (let seed = from; seed < from + seeds; seed++) {
      signal?.throwIfAborted();
      const policy = POLICIES[Math.floor(seed / HARMS.length) % POLICIES.length]!;
      const store = stores.get(policy)!;
      const harm = drawHarm(seed, store.now, store.earlier);
      const path = join(folder, "damaged");
      cpSync(store.now, path, { recursive: true });
      doHarm(harm, path, store.earlier);
      const came = await start(path, policy);
      rmSync(path, { recursive: true });
      const what = fault(came, store);
      if (what !== null) failures.push({ seed, policy, harm, what });
      const kept = came.outcome === "running" && came.own >= store.snapshot && came.origin === store.origin;
      if (came.outcome === "running") counts.running += 1;
      if (came.outcome === "refused") counts.refused += 1;
      if (kept && came.own === store.own) counts.lostNothing += 1;
      if (kept) counts.kept += 1;
      byKind[harm.kind]!.seeds += 1;
      if (kept) byKind[harm.kind]!.kept += 1;
      onSeed?.(seed - from + 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { seeds, ...counts, byKind: byKind as DamageReport["byKind"], failures };
}

/** What must never come of a damage; null where it did not. */
function fault(came: StartResult, { own, origin }: Sound): string | null {
  if (came.outcome === "died") return `the process ended: ${came.message}`;
  if (came.outcome === "failed") return `an error that is not typed: ${came.message}`;
  if (came.outcome === "refused") return null;
  if (came.own > own) return `it knows ${came.own} rewards, and only ${own} were acknowledged`;
  const lost = came.own < own ? `${own - came.own} of ${own} rewards` : came.origin === origin ? null : "its name";
  if (lost !== null && came.reported === null) return `it lost ${lost}, and said nothing`;
  return came.goesOn ? null : "it did not go on";
}

export function damageText({ seeds, running, refused, lostNothing, kept, byKind, failures }: DamageReport): string {
  const lines = [
    `${seeds} damages: ${running} peers went on, ${refused} were refused with a typed error, ${failures.length} failed`,
    `${lostNothing} lost nothing; ${kept} (${((100 * kept) / seeds).toFixed(1)} %) lost nothing that stood in the last snapshot`,
    ...Object.entries(byKind).map(([kind, it]) => `  ${kind.padEnd(8)}${it.kept} of ${it.seeds}`),
    ...failures.map(({ seed, policy, harm, what }) => `seed ${seed}, ${policy}, ${JSON.stringify(harm)}: ${what}`),
  ];
  return `${lines.join("\n")}\n`;
}
