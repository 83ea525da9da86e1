import type { PeerConfig, PeerId, Random, WireLimits } from "@coterie/core";
import type { Heritage } from "@coterie/core/internal";
import type { Link } from "../link/link.ts";
import type { HostEvent } from "../node/event.ts";
import type { Entry, Quarantine, Store } from "../store/store.ts";

/** What a host's owner keeps beside the peer, in the same log and the same snapshot, so that the two never disagree. */
export interface Annex {
  /** Lives through one of its own entries again; false for an entry that is none of its own. */
  relive(entry: Entry): boolean;
  /** Its part of a snapshot. */
  save(): Uint8Array;
  /** Takes the place of all it holds, or throws with nothing changed. `format`: that of the state it was saved with. */
  load(saved: Uint8Array, format: number): void;
  /**
   * Whether a state was written under other terms, and how it is read then; null under the same. Throws where it cannot be
   * gone on from. `field`: what the state came in.
   */
  earlier?(written: Written, field: "store" | "import"): Earlier | null;
  /** Lives through those of these entries that are news to it. Another tab wrote them, and may have written them before. */
  admit(entries: readonly Entry[]): Admitted;
  /** Holds nothing any more. */
  clear(): void;
}

export interface Admitted {
  /** To be written down. */
  readonly fresh: readonly Entry[];
  /** What became before of something that they settle; null where nothing did. */
  readonly settled: string | null;
}

/** What says under which terms a state was written. */
export interface Written {
  /** The annex of its snapshot; null where there is none. */
  readonly annex: Uint8Array | null;
  readonly entries: readonly Entry[];
  readonly format: number;
}

/** A state that was written under other terms. It is read as what it was; then what it knows is carried over. */
export interface Earlier {
  /** Of its vectors. */
  readonly dimension: number;
  /** Whether its policy had the same options: then all of the learner can be read, else its heritage alone. */
  readonly samePolicy: boolean;
  /** Reads what was kept beside it. */
  readonly annex: Annex;
  carry(heritage: Heritage): Heritage;
  /** Takes over what `annex` has read. Comes last. */
  adopt(): void;
  /** For a policy that has nothing to be carried. */
  refusal(): Error;
}

/** What became of a state that another version wrote. */
export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** What could not be taken over; empty where all was. */
  readonly dropped: string;
}

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
  /** Something that nobody waits for could not be written down. */
  readonly onFailure?: (error: unknown) => void;
  /** The store was damaged. Told before anything is written: what a repair says of itself lasts only until then. */
  readonly onRepaired?: (why: Quarantine) => void;
  /** Another version of the program wrote the store's state, and this one goes on from what it could take over. */
  readonly onUpgraded?: (what: Upgrade) => void;
  /** Milliseconds since 1970, for versions above all that were ever published; without it they go on by one. */
  readonly now?: () => number;
  /** Lets others have their turn, where they have waited for a while; without it long work is done in one go. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Ends the waiting for the store. */
  readonly signal?: AbortSignal | undefined;
}
