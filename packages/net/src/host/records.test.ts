import { kindred, Random, snapshot } from "@coterie/core";
import type { KindredOffer } from "@coterie/core/internal";
import { describe, expect, it } from "vitest";
import { type Fate, MemoryNetwork } from "../link/memory.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import { PeerHost } from "./host.ts";

const D = 3;
const PEERS = 6;
const FATES: Fate[] = ["delivered", "delivered", "lost", "answer-lost", "twice"];

const open = (i: number, disk: MemoryDisk, network: MemoryNetwork): Promise<PeerHost> =>
  PeerHost.open({
    peer: { id: `${i}`, dimension: D, policy: kindred(), peers: PEERS },
    store: memoryStore(disk)(),
    link: network.link(`${i}`),
    agreement: "room",
    limits: { dimension: D, most: 1000, reward: 10 },
    random: Random.seeded(50 + i),
    snapshotEvery: 9,
  });

/** How many records a peer has for somebody who has none: its own, and those of others. */
const records = ({ peer }: PeerHost): number => {
  const offer = peer.learner.offer() as KindredOffer;
  return offer.recordsFor({ ...offer.greeting, peer: "new", worst: 0xffffffff, wants: new Map() }).length;
};

describe("versioned records over a bad network", () => {
  it("reach everybody, put nothing at risk, and survive a crash bit for bit", async () => {
    const random = Random.seeded(4);
    const network = new MemoryNetwork(() => FATES[random.below(FATES.length)]!);
    const disks = Array.from({ length: PEERS }, memoryDisk);
    const hosts = await Promise.all(disks.map((disk, i) => open(i, disk, network)));
    for (let round = 0; round < 40; round++) {
      for (const [i, host] of hosts.entries()) {
        const x = Float64Array.from({ length: D }, () => (random.uniform() - 0.5) / D);
        await host.observe(x, x[i % 2]! + 0.05 * random.normal());
        const partner = (i + 1 + random.below(PEERS - 1)) % PEERS;
        // An answer that does not come leaves nothing in doubt.
        expect(await host.tick(`${partner}`)).not.toBe("in-doubt");
        expect(host.exchange!.flight).toBeNull();
      }
    }
    expect(hosts.map(records)).toEqual(Array(PEERS).fill(PEERS));
    expect(hosts.map(({ exchange }) => exchange!.massAtRisk)).toEqual(Array(PEERS).fill(0));
    // What came last waits for the next write.
    await hosts[2]!.tick(null);
    const disk = { ...disks[2]!, pairs: new Map(disks[2]!.pairs), taken: false };
    const again = await open(2, disk, network);
    expect(snapshot(again.peer)).toEqual(snapshot(hosts[2]!.peer));
  });
});
