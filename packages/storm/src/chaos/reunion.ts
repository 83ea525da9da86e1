import { type Policy, parsePolicy } from "@coterie/core";
import { slotSize } from "@coterie/core/internal";
import { createPeer, folderStore, inspect, MemoryNetwork, memory, type RoomPeer, vectors } from "@coterie/net";
import { addHeld, gap } from "../mass.ts";
import { CHAOS_POLICIES, type ChaosPolicy } from "./task.ts";
import { DIMENSION, type Observation } from "./user.ts";

/** A peer's store and what its user knows to be in it. */
export interface LeftStore {
  readonly name: string;
  readonly store: string;
  readonly acknowledged: ReadonlyMap<string, Observation>;
}

export interface Reunited {
  readonly failures: readonly string[];
  readonly givenUp: number;
  readonly outdated: number;
  /** Null where sums mean nothing: records, or an exchange that was given up. */
  readonly massOff: number | null;
}

/** Ticks in which every exchange that was under way when the processes ended must have come to its end. */
const MOST_TICKS = 60;
const MASS = 1e-9;

/**
 * After all processes have ended their stores are opened once more, in this process and over a link in memory. What was in
 * flight comes to its end; then every store must hold its user's rewards, each once, and nothing may have been lost between
 * two of them.
 */
export async function reunion(room: string, policy: ChaosPolicy, left: readonly LeftStore[]): Promise<Reunited> {
  const failures: string[] = [];
  for (const { name, store } of left) {
    const { intact, fault } = await inspect(store);
    if (!intact) failures.push(`${name}: its store is damaged: ${fault}`);
  }
  const peers = await openAll(room, parsePolicy("policy", CHAOS_POLICIES[policy]) as Policy, left);
  try {
    await land(peers);
    for (const [k, peer] of peers.entries()) {
      const { name, acknowledged } = left[k] as LeftStore;
      const { own, outdated, quarantined } = peer.state();
      if (own + outdated !== acknowledged.size)
        failures.push(
          `${name}: ${own} and ${outdated} outdated rewards on its disk, ${acknowledged.size} acknowledged`,
        );
      if (quarantined !== null) failures.push(`${name}: its store was repaired: ${quarantined.reason}`);
    }
    const states = peers.map((peer) => peer.state());
    const givenUp = states.reduce((sum, { massAtRisk }) => sum + massAtRisk, 0);
    const open = states.filter(({ inDoubt }) => inDoubt !== null).length;
    if (open > 0) failures.push(`${open} exchanges came to no end`);
    const massOff = policy === "dcb" && givenUp + open === 0 ? weigh(peers, left) : null;
    if (massOff !== null && massOff > MASS) failures.push(`the sums of all peers are off by ${massOff}`);
    const outdated = states.reduce((sum, state) => sum + state.outdated, 0);
    return { failures, givenUp, outdated, massOff };
  } finally {
    await Promise.all(peers.map((peer) => peer.close()));
  }
}

type VectorPeer = RoomPeer<ReturnType<typeof vectors>>;

async function openAll(room: string, policy: Policy, left: readonly LeftStore[]): Promise<VectorPeer[]> {
  const network = new MemoryNetwork();
  const peers: VectorPeer[] = [];
  for (const { store } of left) {
    const parts = { store: folderStore(store), network: memory(network), tick: false } as const;
    peers.push(await createPeer({ room, features: vectors(DIMENSION), policy, ...parts }));
  }
  return peers;
}

/** Until nothing is in doubt; and twice more, so that every round is closed and its observations are in a slot. */
async function land(peers: readonly VectorPeer[]): Promise<void> {
  const tickAll = async (): Promise<void> => {
    for (const peer of peers) await peer.tick({ partner: null });
  };
  for (let k = 0; k < MOST_TICKS && peers.some((peer) => peer.state().inDoubt !== null); k++) await tickAll();
  await tickAll();
  await tickAll();
}

/** Σ x xᵀ and Σ r x over all buffers and active statistics, against those of all acknowledged rewards. */
function weigh(peers: readonly VectorPeer[], left: readonly LeftStore[]): number {
  const held = new Float64Array(slotSize(DIMENSION));
  for (const { host } of peers) addHeld(held, host);
  const told = new Float64Array(slotSize(DIMENSION));
  for (const { acknowledged } of left) for (const observation of acknowledged.values()) add(told, observation);
  return gap(held, told);
}

function add(total: Float64Array, { x, reward }: Observation): void {
  let at = 0;
  const plus = (value: number): void => {
    total[at] = (total[at] ?? 0) + value;
    at += 1;
  };
  for (const [i, xi] of x.entries()) for (const xj of x.slice(0, i + 1)) plus(xi * xj);
  for (const xi of x) plus(reward * xi);
}
