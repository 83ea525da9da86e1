import type { Entry, Recovered, Store } from "../store.ts";

/**
 * What the peer of a tab does for a store that several tabs have open. One tab owns the store and the others follow it: they
 * ask it for every change, and hear every entry that it has written. What is asked means nothing to the store.
 */
export interface Member {
  /** As owner: the whole state, as of what was handed to `append` so far. */
  save(): Uint8Array;
  /** As owner: does what was asked; on the disk when it resolves. Rejects with `LEAVING` where the next owner should be asked. */
  serve(ask: unknown): Promise<unknown>;
  /** As follower: the owner has written these. */
  hear(entries: readonly Entry[]): void;
  /** As follower of a new owner, or of a new state: takes the place of what it holds. `unanswered` says what comes on top. */
  load(recovered: Recovered, unanswered: () => readonly unknown[]): Promise<void>;
  /** This tab owns the store now. Calls `begin` in the same turn as its state becomes the store's. */
  own(recovered: Recovered, begin: () => void): Promise<void>;
  /** The last owner is gone, and this tab cannot open the store. */
  fail(error: unknown): void;
  /** Some tab erases the store; as owner it is to be done here. */
  end(): void;
}

export interface AnsweredRequest {
  readonly answer: unknown;
  /** Asked of an earlier owner too, who may have done it and died before it could say so. */
  readonly repeated: boolean;
}

/** A store that several tabs of one browser profile have open at once. */
export interface SharedStore extends Store {
  /** Whether another tab owns it. */
  readonly follows: boolean;
  /** This tab's peer is whole, and can be asked or told. */
  attend(member: Member): void;
  /** Asks whoever owns the store, and the next owner where that one goes before it has answered. */
  ask(ask: unknown): Promise<AnsweredRequest>;
  /** As owner: the state is another one, and no entry says so. */
  replaced(): void;
}

export const isShared = (store: Store): store is SharedStore => "attend" in store;

/** The owner is about to go: no answer, so that the next one is asked. */
export const LEAVING = Symbol("leaving");
