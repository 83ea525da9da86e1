import type { Arms, Peer, PeerId, Policy } from "@coterie/core";

/** What the peers of a story have in common. */
export interface StageConfig {
  readonly policy: Policy;
  readonly dimension: number;
  /** How many there are when it begins, all of them members of one room. */
  readonly peers: number;
}

/**
 * Peers that somebody drives: one way to move them, whatever is between them. By index; who has gone keeps its own.
 * Stories read states through `peer`, and change them only by what a peer's owner could do.
 */
export interface Stage {
  /** The state machine of a peer that is there. */
  peer(index: number): Peer;
  /** Its name, as the others know it. */
  name(index: number): PeerId;
  choose(index: number, arms: Arms): number;
  observe(index: number, arm: Float64Array, reward: number): Promise<void>;
  /** These close their round; then these pairs meet, in this order. */
  turn(closing: readonly number[], pairs: readonly (readonly [number, number])[]): Promise<void>;
  /** Somebody new; everybody who is there learns of it. */
  join(): Promise<number>;
  /** For good; everybody who is there learns of it. */
  leave(index: number): Promise<void>;
  /** Its process dies and another goes on from what it had written down. */
  crash(index: number): Promise<void>;
  /** What should not have happened: violations, and exchanges given up in doubt. */
  troubles(): number;
  /** Null where nothing is sent. */
  readonly links: Links | null;
  teardown(): Promise<void>;
}

/** What can happen only where there are messages. */
export interface Links {
  /** One that takes other terms for agreed knocks at `index`; resolves when both sides have heard that it will not do. */
  strange(index: number): Promise<void>;
  /** Sends bytes as they are, in the name of a member; false where there was no answer. */
  send(from: number, to: number, bytes: Uint8Array): Promise<boolean>;
  /** A proposal in the form that `index` would send, as bytes. */
  proposal(index: number): Uint8Array;
  /** Violations counted at a peer, by reason. */
  violations(index: number): ReadonlyMap<string, number>;
  /** Asks `partner`, and dies before the answer is there: it goes on without knowing what became of it. */
  dieAsking(index: number, partner: number): Promise<void>;
}

/** One way to drive peers. */
export interface PeerDriver {
  readonly name: string;
  /** Stories that make no sense here, by name, each with the reason. */
  readonly without: Readonly<Record<string, string>>;
  setup(config: StageConfig): Promise<Stage>;
}

/** The links of a stage, for a story that no driver without them may be given. */
export function linksOf({ links }: Stage): Links {
  if (links === null) throw new Error("this driver has no links: it has to name the story, and the reason");
  return links;
}
