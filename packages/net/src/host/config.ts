import type { PeerConfig, PeerId, Random, ViolationReason, WireLimits } from "@coterie/core";
import type { Verdict } from "../exchange/message.ts";
import type { Link } from "../link/link.ts";
import type { Entry, Quarantine, Store } from "../store/store.ts";

/** What a host's owner keeps beside the peer, in the same log and the same snapshot, so that the two never disagree. */
export interface Annex {
  /** Lives through one of its own entries again; false for an entry that is none of its own. */
  relive(entry: Entry): boolean;
  /** Its part of a snapshot. */
  save(): Uint8Array;
  /** Takes the place of all it holds, or throws with nothing changed. */
  load(saved: Uint8Array): void;
}

/** What became of a state that another version wrote. */
export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** What could not be taken over; empty where all was. */
  readonly dropped: string;
}

export type HostEvent =
  | {
      readonly kind: "exchange";
      /** Who began it. */
      readonly side: "proposed" | "answered";
      readonly partner: PeerId;
      readonly verdict: Verdict | "in-doubt" | "given-up";
    }
  | {
      readonly kind: "violation";
      readonly partner: PeerId;
      readonly reason: ViolationReason;
      readonly message: string;
    };

export interface HostConfig {
  /** With `drawSeed` its id is only a stand-in: a peer's name is that of its key. */
  readonly peer: PeerConfig;
  /** Draws the 32 secret bytes of a new peer's key. Without it nothing is signed, and nothing checked. */
  readonly drawSeed?: () => Uint8Array;
  readonly store: Store;
  /** Where it is known already; else see `PeerHost.attach`. */
  readonly link?: Link;
  /** What partners must agree on: a digest of room, features, policy and version. */
  readonly agreement: string;
  readonly limits: WireLimits;
  /** Names exchanges; every start of a peer needs another stream. */
  readonly random: Random;
  /** Ticks in a row without an answer before an exchange is given up. */
  readonly patience?: number;
  /** Entries in the log before a snapshot replaces them. */
  readonly snapshotEvery?: number;
  readonly annex?: Annex;
  /** Whom to have to do with, as a partner and as the origin of a record; everybody when left out. */
  readonly admits?: ((peer: PeerId) => boolean) | undefined;
  readonly onEvent?: (event: HostEvent) => void;
  /** The store was damaged. Told before anything is written: what a repair says of itself lasts only until then. */
  readonly onRepaired?: (why: Quarantine) => void;
  /** Another version of the program wrote the store's state, and this one goes on from what it could take over. */
  readonly onUpgraded?: (what: Upgrade) => void;
  /** Milliseconds since 1970, for versions above all that were ever published; without it they go on by one. */
  readonly now?: () => number;
  /** Ends the waiting for the store. */
  readonly signal?: AbortSignal | undefined;
}
