import { Random } from "@coterie/core";

/** What goes wrong around real processes. */
export const CHAOS_FAULTS = ["kill", "pause", "cut", "loss", "stall", "disk", "hub"] as const;

/** One of them: when it begins, how long it lasts, and whom it strikes; nobody where it strikes the network. */
export interface ChaosFault {
  readonly kind: (typeof CHAOS_FAULTS)[number];
  readonly atMs: number;
  readonly forMs: number;
  readonly peers: readonly number[];
}

export interface ChaosPlan {
  readonly seed: number;
  readonly peers: number;
  readonly seconds: number;
  readonly faults: readonly ChaosFault[];
}

/** The share of packets that are lost while `loss` lasts. */
export const LOSS = 0.3;

/** The peer whose disk is small. */
export const SMALL_DISK = 1;

/** Every so many peers one cannot be dialled, and is reached through the hub alone. */
const HIDDEN_EVERY = 4;
export const isHidden = (peer: number): boolean => peer % HIDDEN_EVERY === HIDDEN_EVERY - 1;

/** The two halves that a cut parts. The hub is on side 0. */
export const sideOf = (peer: number): 0 | 1 => (peer % 2 === 0 ? 0 : 1);

/** In ms. A peer is paused for the time that must not cost it its place in the room. */
const LENGTHS: Readonly<Record<ChaosFault["kind"], readonly [least: number, most: number]>> = {
  kill: [500, 9000],
  pause: [5000, 5000],
  cut: [4000, 10_000],
  loss: [6000, 15_000],
  stall: [6000, 15_000],
  disk: [3000, 6000],
  hub: [2000, 9000],
};

/** One fault begins in about so many ms. */
const SPACING_MS = 4000;
/** So that the room has met once before the first. */
const CALM_MS = 2000;

/** Faults of every kind, each at least once, and again as time allows; the seed says when, how long and to whom. */
export function chaosPlan(seed: number, peers: number, seconds: number): ChaosPlan {
  const random = Random.seeded(seed).fork("chaos");
  const endMs = seconds * 1000;
  const count = Math.max(CHAOS_FAULTS.length, Math.floor((endMs - CALM_MS) / SPACING_MS));
  const spacing = (endMs - CALM_MS) / count;
  const faults: ChaosFault[] = [];
  let kinds: ChaosFault["kind"][] = [];
  for (let k = 0; k < count; k++) {
    if (kinds.length === 0) kinds = shuffled(CHAOS_FAULTS, random);
    const kind = kinds.pop() ?? "kill";
    const atMs = Math.round(CALM_MS + (k + random.uniform()) * spacing);
    const [least, most] = LENGTHS[kind];
    const forMs = Math.round(least + (most - least) * random.uniform());
    faults.push({ kind, atMs, forMs, peers: victims(kind, { atMs, forMs }, peers, faults, random) });
  }
  return { seed, peers, seconds, faults: faults.filter((fault) => !strikesPeers(fault) || fault.peers.length > 0) };
}

const strikesPeers = ({ kind }: ChaosFault): boolean => kind === "kill" || kind === "pause" || kind === "disk";

/** Whom a fault strikes: nobody whom another one still has, or has just let go. */
function victims(
  kind: ChaosFault["kind"],
  { atMs, forMs }: Pick<ChaosFault, "atMs" | "forMs">,
  peers: number,
  before: readonly ChaosFault[],
  random: Random,
): number[] {
  const apart = 3000;
  const busy = before.filter((it) => it.atMs < atMs + forMs + apart && it.atMs + it.forMs + apart > atMs);
  const taken = new Set(busy.flatMap((it) => it.peers));
  if (kind === "disk") return taken.has(SMALL_DISK) ? [] : [SMALL_DISK];
  if (kind !== "kill" && kind !== "pause") return [];
  const free = Array.from({ length: peers }, (_, peer) => peer).filter((peer) => !taken.has(peer));
  return shuffled(free, random)
    .slice(0, 1 + random.below(Math.max(1, Math.floor(peers / 6))))
    .sort((a, b) => a - b);
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const all = [...values];
  for (let k = all.length - 1; k > 0; k--) {
    const other = random.below(k + 1);
    [all[k], all[other]] = [all[other] as T, all[k] as T];
  }
  return all;
}

const NAMES: Readonly<Record<ChaosFault["kind"], string>> = {
  kill: "kill -9",
  pause: "SIGSTOP",
  cut: "the two halves are cut apart",
  loss: `${100 * LOSS} % loss`,
  stall: "delays and stalls before the hub",
  disk: "a full disk",
  hub: "the hub dies",
};

export function describeFault({ kind, atMs, forMs, peers }: ChaosFault): string {
  const whom = peers.length === 0 ? "" : ` of ${peers.map((peer) => `peer ${peer}`).join(", ")}`;
  return `${(atMs / 1000).toFixed(1).padStart(6)} s  ${NAMES[kind]}${whom}, for ${(forMs / 1000).toFixed(1)} s`;
}
