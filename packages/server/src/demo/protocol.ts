import type { PeerId } from "@coterie/core";
import type { ExchangeOutcome } from "@coterie/studio";

/** What the demo tells a process that holds peers. A peer is known by its slot: a number for good. */
export type Order =
  | { readonly kind: "begin"; readonly policy: string; readonly periodMs: number }
  | {
      readonly kind: "open";
      readonly slot: number;
      readonly cluster: number;
      readonly bootstrap: readonly string[];
      /** Its user makes so many choices; null: goes on. */
      readonly rounds: number | null;
    }
  | { readonly kind: "kill"; readonly slot: number }
  | { readonly kind: "lie"; readonly slot: number; readonly lies: boolean }
  /** No connection stays or is made between those named and all others; empty: they may again. */
  | { readonly kind: "cut"; readonly side: readonly PeerId[] };

/** What such a process tells. */
export type WorkerNews =
  | { readonly kind: "ready" }
  | { readonly kind: "opened"; readonly slot: number; readonly id: PeerId; readonly addresses: readonly string[] }
  | { readonly kind: "killed"; readonly slot: number }
  | { readonly kind: "report"; readonly reports: readonly PeerReport[]; readonly alive: readonly PeerId[] }
  | { readonly kind: "failed"; readonly message: string };

/** What happened to one peer since its last report. */
export interface PeerReport {
  readonly slot: number;
  /** Rows of reward, alone, regret, alone's regret. */
  readonly earned: readonly number[];
  readonly met: readonly MetPartner[];
  readonly pruned: readonly PeerId[];
  readonly troubles: readonly string[];
  /** Now and then. */
  readonly glance?: Glance;
}

export interface MetPartner {
  readonly partner: PeerId;
  readonly outcome: ExchangeOutcome;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface Glance {
  readonly round: number;
  readonly own: number;
  readonly evidence: number;
  readonly buffered: number;
  readonly drift: number;
  readonly sentBytes: number;
  /** How many others it believes alive. */
  readonly sees: number;
  /** How many members it takes the room to have. */
  readonly size: number;
  /** From whom it borrows how many observations; null where the policy cannot tell. */
  readonly lenders: readonly (readonly [PeerId, number])[] | null;
  /** Those in its neighbourhood; null where lenders say more. */
  readonly near: readonly PeerId[] | null;
}
