import { dcb, Random } from "@coterie/core";
import type { DcbOffer } from "@coterie/core/internal";
import { describe, expect, it } from "vitest";
import { type Fate, MemoryNetwork } from "../link/memory.ts";
import { mortal } from "../link/mortal.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import { PeerHost } from "./host.ts";

const D = 2;
const PEERS = 5;
/** Nothing is promoted, so all mass is in the buffers and can be counted. */
const policy = dcb({ delay: { rounds: 10_000 }, weight: "mean" });

interface Colony {
  readonly hosts: PeerHost[];
  crash(i: number): Promise<void>;
}

async function colony(seed: number, fate: () => Fate): Promise<Colony> {
  const network = new MemoryNetwork(fate);
  const disks = Array.from({ length: PEERS }, memoryDisk);
  let starts = 0;
  const alive: { dead: boolean }[] = [];
  const open = (i: number): Promise<PeerHost> => {
    const life = { dead: false };
    alive[i] = life;
    return PeerHost.open({
      peer: { id: `${i}`, dimension: D, policy, peers: PEERS },
      store: memoryStore(disks[i]!)(),
      link: mortal(network.link(`${i}`), life),
      agreement: "room",
      limits: { dimension: D, most: 100_000, reward: 10 },
      random: Random.seeded(seed).fork(i).fork(starts++),
      patience: 1_000_000,
      snapshotEvery: 7,
    });
  };
  /** Nothing is closed, what was in memory is gone, and so is all that had not reached the disk. */
  const crash = async (i: number): Promise<void> => {
    alive[i]!.dead = true;
    disks[i] = { ...disks[i]!, pairs: new Map(disks[i]!.pairs), taken: false };
    hosts[i] = await open(i);
  };
  const hosts = await Promise.all(disks.map((_, i) => open(i)));
  return { hosts, crash };
}

/** Σ of gram and moment over all peers and slots, and Σ of counts. */
function mass(hosts: readonly PeerHost[]): number[] {
  const total = [0, 0, 0];
  for (const { peer } of hosts) {
    const { slots } = peer.learner.offer() as DcbOffer;
    for (let k = 0; k < slots.length; k++) {
      total[0]! += slots.values[slots.offset(k)]!;
      total[1]! += slots.values[slots.offset(k) + 3]!;
      total[2]! += slots.count(k);
    }
  }
  return total;
}

async function live(colony: Colony, random: Random, rounds: number, crashes: boolean): Promise<number[]> {
  const seen = [0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < PEERS; i++) {
      const x = Float64Array.of(random.uniform() - 0.5, random.uniform() - 0.5);
      const reward = random.uniform();
      await colony.hosts[i]!.observe(x, reward);
      seen[0]! += x[0]! * x[0]!;
      seen[1]! += reward * x[0]!;
      seen[2]! += 1;
    }
    for (let i = 0; i < PEERS; i++) {
      const partner = random.below(PEERS);
      // A tick that is under way when the peer dies: what it had written stands, the rest never was.
      const ticking = colony.hosts[i]!.tick(partner === i ? null : `${partner}`).catch(() => null);
      if (crashes && random.below(8) === 0) {
        for (let k = random.below(6); k > 0; k--) await Promise.resolve();
        await colony.crash(i);
      }
      await ticking;
    }
  }
  return seen;
}

async function heal(colony: Colony): Promise<void> {
  for (let k = 0; k < 50 && colony.hosts.some(({ exchange }) => exchange?.flight); k++) {
    for (const host of colony.hosts) if (host.exchange?.flight) await host.tick(null);
  }
  // Rounds are open where an exchange was in doubt: close them, so that all observations are in the buffers.
  for (const host of colony.hosts) await host.tick(null);
}

describe("averaging over a bad network", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("loses no mass to lost and repeated messages (seed %i)", async (seed) => {
    const random = Random.seeded(seed);
    let faulty = true;
    const fates: Fate[] = ["delivered", "delivered", "delivered", "lost", "answer-lost", "twice"];
    const all = await colony(seed, () => (faulty ? fates[random.below(fates.length)]! : "delivered"));
    const seen = await live(all, random, 30, false);
    faulty = false;
    await heal(all);
    mass(all.hosts).forEach((value, k) => {
      expect(value).toBeCloseTo(seen[k]!, 9);
    });
    expect(all.hosts.every(({ exchange }) => exchange!.massAtRisk === 0)).toBe(true);
    // They did mix: somebody holds parts of an observation.
    const { slots } = all.hosts[0]!.peer.learner.offer() as DcbOffer;
    expect(Array.from({ length: slots.length }, (_, k) => slots.count(k)).some((count) => count % 1 !== 0)).toBe(true);
  });

  it.each([11, 12, 13, 14, 15, 16, 17, 18])("nor to crashes at any moment (seed %i)", async (seed) => {
    const random = Random.seeded(seed);
    let faulty = true;
    const fates: Fate[] = ["delivered", "delivered", "lost", "answer-lost", "twice"];
    const all = await colony(seed, () => (faulty ? fates[random.below(fates.length)]! : "delivered"));
    const seen = await live(all, random, 30, true);
    faulty = false;
    await heal(all);
    mass(all.hosts).forEach((value, k) => {
      expect(value).toBeCloseTo(seen[k]!, 9);
    });
  });
});
