import type { Peer, PeerId } from "@coterie/core";
import type { RoomTab } from "./tab.ts";

/** Somebody who was in the room before: its name, and what its store held when it went. */
export interface Visitor {
  readonly id: PeerId;
  readonly kind: number;
  readonly peer: Peer;
}

/** One tab's stay in the room: what is still asked of it after it is gone. All else goes with the tab, or a room would hold its dead. */
export class Visit {
  /** When its process was gone. */
  died = Number.POSITIVE_INFINITY;
  /** When its first exchange came about, and the first with kin. */
  first = Number.POSITIVE_INFINITY;
  firstKin = Number.POSITIVE_INFINITY;
  /** The tab, while it is there. */
  tab: RoomTab | null = null;

  constructor(
    readonly id: PeerId,
    readonly kind: number,
    readonly born: number,
  ) {}
}
