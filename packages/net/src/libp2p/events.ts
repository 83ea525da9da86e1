import type { PeerId, ViolationReason } from "@coterie/core";

/** Why two peers cannot talk; both sides learn it. */
export type Refusal = "another-room" | "another-agreement" | "room-key" | "overloaded";

/** What another peer did that no correct peer does; counted by cause. */
export type NetworkViolation = ViolationReason | Refusal | "forged-entry" | "slow" | "flood" | "uninvited";

/** What the network has to say; never about an exchange's content. */
export type NetworkEvent =
  | { readonly kind: "open-room"; readonly message: string }
  | { readonly kind: "refused"; readonly peer: PeerId; readonly by: "us" | "them"; readonly reason: Refusal }
  | { readonly kind: "violation"; readonly peer: PeerId; readonly cause: NetworkViolation }
  /** A hub knows so many peers that give the room the same name, but another key, feature schema, policy or version. */
  | { readonly kind: "misfits"; readonly hub: PeerId; readonly count: number }
  | { readonly kind: "unreachable"; readonly address: string; readonly message: string };

const MEANING: Record<Refusal, string> = {
  "another-room": "it is in another room",
  "another-agreement": "its feature schema, policy or version differs",
  "room-key": "its room key differs, or only one of the two has one",
  overloaded: "too many ask it at once",
};

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

  constructor(readonly tell: (event: NetworkEvent) => void) {}

  violation(peer: PeerId, cause: NetworkViolation, times = 1): void {
    if (times === 0) return;
    this.violations.set(cause, (this.violations.get(cause) ?? 0) + times);
    this.tell({ kind: "violation", peer, cause });
  }
}
