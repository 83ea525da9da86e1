import type { PeerId } from "@coterie/core";
import type { Libp2p } from "@libp2p/interface";
import type { News } from "../membership/entry.ts";
import type { Watch } from "./events.ts";
import type { Credentials } from "./greeting.ts";

/** What calling and answering have in common. */
export interface Context {
  readonly libp2p: Libp2p;
  readonly mine: Credentials;
  readonly watch: Watch;
  readonly messageBytes: number;
  readonly clock: () => number;
  readonly traffic: Traffic;
  /** News of the room, to go along with a message. */
  pack(to: PeerId): News[];
  /** News that came along with one. */
  take(from: PeerId, news: readonly News[]): Promise<void>;
}

export interface Traffic {
  sentBytes: number;
  receivedBytes: number;
  /** Requests of ours that were answered, and that were not. */
  answered: number;
  failed: number;
  /** Requests of others that we answered. */
  served: number;
}
