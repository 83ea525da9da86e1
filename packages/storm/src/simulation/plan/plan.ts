import { Random } from "@coterie/core";
import type { Damage, LiarStyle, PlannedFault } from "./fault.ts";

export interface StormSize {
  readonly peers: number;
  readonly rounds: number;
}

const [LEAST_PEERS, MOST_PEERS] = [4, 20];
const [LEAST_ROUNDS, MOST_ROUNDS] = [20, 200];

/**
 * What is not given is drawn. Most bugs show in small rooms, at a tenth of the price of large ones; a few take many peers, or
 * rounds enough for a second snapshot.
 */
export function sizeOf(seed: number, given: Partial<StormSize> = {}): StormSize {
  const random = Random.seeded(seed).fork("size");
  const peers = LEAST_PEERS + random.below(MOST_PEERS - LEAST_PEERS + 1);
  // As likely from 20 to 63 as from 63 to 200.
  const rounds = Math.round(LEAST_ROUNDS * (MOST_ROUNDS / LEAST_ROUNDS) ** random.uniform());
  return { peers: given.peers ?? peers, rounds: given.rounds ?? rounds };
}

/** What the peers learn by, and how the world is. */
export interface StormSetting {
  readonly policy: "dcb" | "dccb" | "dccb-two" | "kindred";
  /** How many slots a buffer holds back. */
  readonly delay: number;
  readonly bridge: boolean;
  readonly sharing: "equal" | "mutual";
  readonly clusters: number;
  /** News of members travel as bytes; else as they are, which is quicker and leaves the codec to the fuzzer. */
  readonly coded: boolean;
  /** Options that are not in the paper: the last two for dccb of two kinds. */
  readonly clip: boolean;
  readonly guard: boolean;
  readonly forgive: boolean;
}

/** A whole run, drawn from its seed before it begins. A story with fewer faults is a plan with fewer of them. */
export interface Plan extends StormSize {
  readonly seed: number;
  readonly setting: StormSetting;
  readonly faults: readonly PlannedFault[];
}

export function planOf(seed: number, { peers, rounds }: StormSize): Plan {
  const random = Random.seeded(seed).fork("plan");
  const setting = drawSetting(random.fork("setting"));
  const faults = [
    ...weather(random.fork("weather")),
    ...partitions(random.fork("partitions"), peers, rounds),
    ...accidents(random.fork("accidents"), peers, rounds),
    ...churn(random.fork("churn"), peers, rounds),
    ...liars(random.fork("liars"), peers),
    ...disks(random.fork("disks")),
  ];
  return { seed, peers, rounds, setting, faults };
}

const oneOf = <T>(random: Random, values: readonly T[]): T => values[random.below(values.length)]!;
const chance = (random: Random, probability: number): boolean => random.uniform() < probability;

function drawSetting(random: Random): StormSetting {
  const policy = oneOf(random, ["dcb", "dcb", "dccb", "dccb-two", "kindred"] as const);
  const setting = {
    policy,
    delay: chance(random, 0.4) ? 34 : 3 + random.below(8),
    bridge: chance(random, 0.3),
    sharing: oneOf(random, ["equal", "mutual"] as const),
    clusters: policy === "dcb" || policy === "dccb" ? 1 : 2,
    coded: chance(random, 0.15),
    clip: chance(random, 0.2),
  };
  const two = policy === "dccb-two";
  const guard = two && chance(random, 0.5);
  return { ...setting, guard, forgive: two && setting.sharing === "mutual" && chance(random, 0.5) };
}

function weather(random: Random): PlannedFault[] {
  const faults: PlannedFault[] = [];
  if (chance(random, 0.7)) faults.push({ kind: "loss", rate: 0.4 * random.uniform() });
  if (chance(random, 0.7)) faults.push({ kind: "duplicates", rate: 0.5 * random.uniform() });
  if (chance(random, 0.6)) faults.push({ kind: "delay", mostMs: 800 * random.uniform() ** 2 });
  return faults;
}

/** In a third of the runs writes take as long as on a busy machine, up to a whole round. */
function disks(random: Random): PlannedFault[] {
  return chance(random, 0.33) ? [{ kind: "slow-disk", mostMs: 20 + 580 * random.uniform() }] : [];
}

function partitions(random: Random, peers: number, rounds: number): PlannedFault[] {
  return Array.from({ length: random.below(4) }, () => {
    const side = Array.from({ length: peers }, (_, peer) => peer).filter(() => chance(random, 0.4));
    const at = random.below(rounds);
    return { kind: "partition", at, rounds: 1 + random.below(16), side, oneWay: chance(random, 0.5) } as const;
  });
}

function accidents(random: Random, peers: number, rounds: number): PlannedFault[] {
  const faults: PlannedFault[] = [];
  const damaged = chance(random, 0.35) ? 0.1 : 0;
  // Some rooms are calm, some crash all the time and come back at once.
  const frantic = chance(random, 0.25);
  const busy = frantic ? 3 : chance(random, 0.75) ? random.uniform() : 0;
  for (let k = Math.floor((busy * peers * rounds) / 40); k > 0; k--) {
    const at = random.below(rounds);
    const damage = chance(random, damaged) ? oneOf<Damage>(random, ["flip", "drop", "cut"]) : null;
    // A batch is atomic on any medium that keeps its word; a torn one is a fault of the store.
    const how = chance(random, damaged) ? "torn" : oneOf(random, ["before", "after"] as const);
    const write = 1 + random.below(8);
    const down = frantic || chance(random, 0.5) ? 0 : random.below(12);
    faults.push({ kind: "crash", peer: random.below(peers), at, write, how, rounds: down, damage });
  }
  for (let k = random.below(3); k > 0; k--) {
    const how = oneOf(random, ["fail", "doubt"] as const);
    faults.push({ kind: "write-error", peer: random.below(peers), at: random.below(rounds), how });
  }
  return faults;
}

const HOUR_MS = 3_600_000;

function churn(random: Random, peers: number, rounds: number): PlannedFault[] {
  const faults: PlannedFault[] = [];
  for (let k = random.below(4); k > 0; k--) {
    const jumpMs = HOUR_MS * (2 * random.uniform() - 1);
    faults.push({ kind: "clock", peer: random.below(peers), at: random.below(rounds), jumpMs });
  }
  for (let k = random.below(4); k > 0; k--) {
    const at = random.below(rounds);
    faults.push({ kind: "away", peer: random.below(peers), at, rounds: 1 + random.below(15) });
  }
  // Peer 0 is where the others begin to look.
  if (chance(random, 0.3)) faults.push({ kind: "late", peer: peers - 1, at: random.below(rounds) });
  return faults;
}

/** In a third of the runs, up to a fifth of the peers. */
function liars(random: Random, peers: number): PlannedFault[] {
  if (!chance(random, 0.33)) return [];
  const count = random.below(Math.floor(peers / 5) + 1);
  const style = oneOf<LiarStyle>(random, ["invents", "garbles", "replays", "mute", "leads"]);
  return Array.from({ length: count }, (_, k) => ({ kind: "liar", peer: peers - 1 - k, style }) as const);
}
