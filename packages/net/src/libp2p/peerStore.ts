import type { Libp2p, Peer, PeerData, PeerId } from "@libp2p/interface";

const NOTHING = { addresses: [], protocols: [], metadata: new Map(), tags: new Map() };

/**
 * libp2p writes down of others which protocols each stream spoke and when each dial came about: under a lock, with names in other bases, for
 * a twentieth of all that a room leaves to the garbage collector. Nobody reads that here, so it is not written down; what is said of ourselves,
 * of relays and of those found nearby still is.
 */
export function withoutNotes<T extends Pick<Libp2p, "peerId" | "peerStore">>(libp2p: T): T {
  const { peerId: self, peerStore } = libp2p;
  const merge = peerStore.merge.bind(peerStore);
  peerStore.merge = async (id: PeerId, data: PeerData, options): Promise<Peer> =>
    isNote(data) && !self.equals(id) ? { id, ...NOTHING } : merge(id, data, options);
  return libp2p;
}

/** What libp2p writes down by itself of a stream, or of a dial. */
const isNote = ({ protocols, metadata, tags }: PeerData): boolean =>
  tags === undefined && (protocols !== undefined || metadata !== undefined);
