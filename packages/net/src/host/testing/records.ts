import { kindred, type PeerId, Random } from "@coterie/core";
import type { KindredOffer, PeerRecord } from "@coterie/core/internal";
import type { MemoryNetwork } from "../../link/memory.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "../../store/memory.ts";
import type { HostConfig } from "../config.ts";
import { PeerHost } from "../host.ts";

/** Peers that publish records, each with a key of its own. */

const D = 3;
export const policy = kindred();
export const limits = { dimension: D, most: 1000, reward: 10 };

export type Options = Partial<HostConfig> & { readonly disk?: MemoryDisk; readonly unsigned?: boolean };

/** Its key follows from its name's first letter, the first time; later the disk has it. */
export function open(network: MemoryNetwork, name: PeerId, options: Options = {}): Promise<PeerHost> {
  const { disk = memoryDisk(), unsigned = false, ...more } = options;
  return PeerHost.open({
    peer: { id: name, dimension: D, policy, peers: 3 },
    ...(unsigned ? {} : { drawSeed: () => new Uint8Array(32).fill(name.charCodeAt(0)) }),
    store: memoryStore(disk)(),
    link: network.link(name),
    agreement: "room",
    limits,
    random: Random.seeded(name.charCodeAt(0)),
    ...more,
  });
}

/** Sees so many arms, and closes the round. */
export async function live(host: PeerHost, observations: number, seed = 1): Promise<void> {
  const random = Random.seeded(seed);
  for (let k = 0; k < observations; k++) {
    const x = Float64Array.from({ length: D }, () => (random.uniform() - 0.5) / D);
    await host.observe(x, x[0]! + 0.05 * random.normal());
  }
  await host.tick(null);
}

/** Every record that a peer would give to somebody who has none. */
export function held(host: PeerHost): Map<PeerId, PeerRecord> {
  const offer = host.peer.learner.offer() as KindredOffer;
  const stranger = { ...offer.greeting, peer: "nobody", wants: new Map(), worst: 2 ** 32 };
  return new Map(offer.recordsFor(stranger).map((record) => [record.origin, record]));
}

/** The power fails: what was on the disk stays. */
export const pulled = (disk: MemoryDisk): MemoryDisk => ({ ...disk, pairs: new Map(disk.pairs), taken: false });
