import type { Policy } from "@coterie/core";
import type * as parts from "@coterie/net/internal";

/** A planted bug: one behaviour of a shipped part that is changed from outside. */
export interface Mutant {
  readonly name: string;
  /** What is wrong with it. */
  readonly brief: string;
  /** Changes a part for the time of a run, and returns a way to undo that. */
  readonly plant?: () => () => void;
  readonly backend?: (backend: parts.Backend) => parts.Backend;
  readonly hash?: parts.Hash;
  readonly store?: (store: parts.Store) => parts.Store;
  readonly policy?: (policy: Policy, peer: number) => Policy;
}

export const plant = (mutant: Mutant | null): (() => void) => mutant?.plant?.() ?? (() => {});
