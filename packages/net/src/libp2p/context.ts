import type { PeerId } from "@coterie/core";
import type { Libp2p } from "@libp2p/interface";
import type { Bulletin, Occasion } from "../membership/entry.ts";
import type { GossipEvent } from "../node/event.ts";
import type { Watch } from "./events.ts";
import type { Credentials } from "./greeting.ts";

/** What calling and answering have in common. */
export interface CallContext {
  readonly libp2p: Libp2p;
  readonly mine: Credentials;
  readonly watch: Watch;
  readonly messageBytes: number;
  readonly clock: () => number;
  readonly traffic: Traffic;
  /** News of the room, to go along with a message. */
  pack(to: PeerId, occasion: Occasion): Bulletin;
  /** What a hub is told: our own entry, and nobody else's. */
  introduce(to: PeerId): Bulletin;
  /** What a hub is asked for: a ticket, where one is due. */
  asks(hub: PeerId): Uint8Array;
  /** What a hub answered to that. */
  granted(hub: PeerId, answer: Uint8Array): Promise<void>;
  /** Whether a peer may take part: in a room with tickets it has shown one. */
  admits(peer: PeerId): boolean;
  /** News that came along with one. */
  take(from: PeerId, bulletin: Bulletin, occasion: Occasion): Promise<void>;
  /** What came about, for the node. */
  tell(event: GossipEvent): void;
  /** Whether we are out of sight: then nothing is taken and nothing said. */
  isHidden(): boolean;
}

/** The news that go along with the messages of one stream. */
export interface Talk {
  pack(occasion: Occasion): Bulletin;
  take(bulletin: Bulletin, occasion: Occasion): Promise<void>;
  /** What is said in reply to a request of gossip; nothing unless told. */
  readonly reply?: (body: Uint8Array) => Promise<Uint8Array>;
  /** Whether we are out of sight: then nothing is taken and nothing said. Never unless told. */
  readonly isHidden?: () => boolean;
  /** Whether the caller may take part, once its news are taken. Everybody unless told. */
  readonly admits?: () => boolean;
  /** A request begins, or is answered. */
  readonly serving?: (kind: "asked" | "served") => void;
}

export interface Traffic {
  /** Of all frames but greetings: news of the room and exchanges. */
  sentBytes: number;
  receivedBytes: number;
  /** Of these, what exchanges said, whoever began them. */
  exchangeSentBytes: number;
  exchangeReceivedBytes: number;
  /** Requests of ours that were answered, and that were not. */
  answered: number;
  failed: number;
  /** Requests of others that we answered. */
  served: number;
}

export const noTraffic = (): Traffic => ({
  sentBytes: 0,
  receivedBytes: 0,
  exchangeSentBytes: 0,
  exchangeReceivedBytes: 0,
  answered: 0,
  failed: 0,
  served: 0,
});
