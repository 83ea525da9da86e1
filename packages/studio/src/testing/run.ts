import { Random } from "@coterie/core";
import { type Beat, FEED_VERSION, type FeedHeader, type Joined } from "../feed/format.ts";

export const HEADER: FeedHeader = {
  coterie: "feed",
  version: FEED_VERSION,
  policy: "kindred",
  periodMs: 500,
  startedMs: 0,
  source: "live",
};

export const joined = (peer: number, cluster: number | null = peer % 2): Joined => ({
  peer,
  id: `id-${peer}`,
  name: `Peer ${peer}`,
  cluster,
});

/** A made-up run in which everything happens now and then. */
export function madeUp(seed: number, beats: number, peers = 8): Beat[] {
  const random = Random.seeded(seed);
  const some = (): number => random.below(peers);
  return Array.from({ length: beats }, (_, k): Beat => {
    const two = (): [number, number] => {
      const a = some();
      return [a, (a + 1 + random.below(peers - 1)) % peers];
    };
    return {
      at: k * 250,
      ...(k === 0 && { joined: Array.from({ length: peers }, (_, peer) => joined(peer)) }),
      earned: [some(), random.uniform(), random.uniform(), 0.1, 0.2],
      met: [...two(), random.below(9), 100, 200],
      state: [some(), k, k, 2 * k, random.below(4), 0.5, 1000 * k],
      pool: [...two(), random.below(2), 5],
      lent: [...two(), random.below(3)],
      ...(k % 5 === 0 && { sees: [some(), random.below(peers)] }),
      ...(k % 17 === 5 && { faults: [{ what: k % 2 === 0 ? ("cut" as const) : ("heal" as const), peers: [some()] }] }),
      ...(k === 30 && { left: [3, 1] }),
    };
  });
}
