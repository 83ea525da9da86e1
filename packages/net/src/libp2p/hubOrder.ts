import type { PeerId } from "@coterie/core";
import { sha256Hex } from "../sha256.ts";

/**
 * The hubs of a list, each with its addresses, in the order in which one peer takes them: that of SHA-256(room, peer, hub). So the
 * peers of a room spread evenly over all hubs, and those of a hub that dies over all others (rendezvous hashing). A hub is known by
 * the name at the end of its addresses, or else by its one address.
 */
export function hubsInOrder(addresses: readonly string[], room: string, self: PeerId): string[][] {
  const hubs = new Map<string, string[]>();
  for (const address of addresses) {
    const hub = /\/p2p\/([^/]+)$/.exec(address)?.[1] ?? address;
    hubs.set(hub, [...(hubs.get(hub) ?? []), address]);
  }
  const ranked = Array.from(hubs, ([hub, at]) => ({ at, rank: sha256Hex(`coterie hub 1\n${room}\n${self}\n${hub}`) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ at }) => at);
}
