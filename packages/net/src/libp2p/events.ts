import type { PeerId } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";
import type { HubLimit } from "./hubLimits.ts";

/** Why two peers cannot talk; both sides learn it. */
export type Refusal = "another-room" | "another-agreement" | "another-version" | "room-key" | "overloaded" | "ticket";

/** What another peer did that no correct peer does; counted by cause. */
export type NetworkViolation = ViolationReason | Refusal | "forged-entry" | "slow" | "flood" | "uninvited";

/** What the network has to say; never about an exchange's content. */
export type NetworkEvent =
  | { readonly kind: "open-room"; readonly message: string }
  | {
      readonly kind: "refused";
      readonly peer: PeerId;
      readonly by: "us" | "them";
      readonly reason: Refusal;
      /** Which limit of this hub it was, where it is `overloaded`. */
      readonly limit?: HubLimit;
    }
  | { readonly kind: "violation"; readonly peer: PeerId; readonly cause: NetworkViolation }
  /** A hub knows so many peers that give the room the same name, but another key, feature schema, policy or version. */
  | { readonly kind: "misfits"; readonly hub: PeerId; readonly count: number }
  | { readonly kind: "unreachable"; readonly address: string; readonly message: string }
  /** Peers of the local network cannot be found there: the network, or this machine, allows no multicast. */
  | { readonly kind: "no-multicast"; readonly message: string };

const MEANING: Record<Refusal, string> = {
  "another-room": "it is in another room",
  "another-agreement": "its feature schema, policy or version differs",
  "another-version": "it speaks another version of the protocol",
  "room-key": "its room key differs, or only one of the two has one",
  ticket: "it has no valid ticket of a hub of the room",
  overloaded: "it has reached a limit; try another hub, or this one later",
};

export const isRefusal = (violation: string): boolean => violation in MEANING;

/** The two do not fit together. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  constructor(
    readonly reason: Refusal,
    readonly by: "us" | "them",
  ) {
    super(by === "them" ? `refused by the other peer: ${MEANING[reason]}` : `refused: ${MEANING[reason]}`);
  }
}

/** Counts per cause, and tells whoever listens. */
export class Watch {
  readonly violations = new Map<NetworkViolation, number>();
  /** How many were refused because of each limit of a hub. */
  readonly overloads = new Map<HubLimit, number>();

  /** `offended` hears of what counts against somebody. */
  constructor(
    readonly tell: (event: NetworkEvent) => void,
    readonly offended: (peer: PeerId, cause: NetworkViolation, times: number) => void = () => {},
  ) {}

  /** Somebody was refused because a limit is reached, which says nothing against it. Null where it had no time to say its name. */
  overload(peer: PeerId | null, limit: HubLimit): void {
    this.overloads.set(limit, (this.overloads.get(limit) ?? 0) + 1);
    if (peer !== null) this.tell({ kind: "refused", peer, by: "us", reason: "overloaded", limit });
  }

  /** Somebody connects more often than it may, and had no time to say its name. */
  turnedAway(): void {
    this.violations.set("flood", (this.violations.get("flood") ?? 0) + 1);
  }

  violation(peer: PeerId, cause: NetworkViolation, times = 1): void {
    if (times === 0) return;
    this.violations.set(cause, (this.violations.get(cause) ?? 0) + times);
    this.tell({ kind: "violation", peer, cause });
    this.offended(peer, cause, times);
  }
}
