import type { PeerId } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";
import type { PeerHost } from "../host/host.ts";
import type { Network } from "../link/network.ts";
import type { Quarantine } from "../store/store.ts";
import type { PeerEvents } from "./events.ts";
import type { Ledger } from "./ledger.ts";

/** What came of exchanges since the start, both those proposed and those answered. */
export type ExchangeCounts = Readonly<Partial<Record<PeerEvents["exchange"]["verdict"], number>>>;

/** What speaks against those in the room (`node/scores.ts`). */
export interface Strangers {
  /** Since the start, by cause: messages that were not answered, slow, forged and so on, of exchanges and of gossip. */
  readonly counted: Readonly<Record<string, number>>;
  /** Peers that are left alone for now because they did not answer, and those that are refused. */
  readonly resting: number;
  readonly refused: number;
  /** Address prefixes from which more than one name was of no use. */
  readonly prefixes: number;
  /** The share of the view that never answered a call of ours, 0 to 1. */
  readonly unreached: number;
}

/** A peer at a glance: plain data, a copy. */
export interface PeerState {
  readonly self: PeerId;
  /** The name its records go by; null where it publishes none: its policy has none, or its state came without its key. */
  readonly origin: PeerId | null;
  readonly room: string;
  readonly policy: string;
  readonly round: number;
  /** How many are in the room, this peer included: exact while all of them fit into its view and none is in doubt, else an estimate. */
  readonly size: number;
  /** Others in its view, believed alive. */
  readonly alive: readonly PeerId[];
  /** Those of them still taken for this peer's own kind; and all no longer. */
  readonly near: readonly PeerId[];
  readonly pruned: readonly PeerId[];
  /** At least so many are in the room with other features, another policy or version, as during a deploy. */
  readonly misfits: number;
  /** Those whose observations this peer's choices rest on beside its own; null where the policy cannot tell. */
  readonly lenders: readonly PeerId[] | null;
  /** θ̂ by the features' coordinates. */
  readonly estimate: readonly number[];
  /** Observations that choices rest on, those this peer made, and slots that still wait in its buffer. */
  readonly evidence: number;
  readonly own: number;
  readonly buffered: number;
  /** Observations of its own that count no longer: its taste has changed since, as kindred found or the app said. */
  readonly outdated: number;
  /**
   * How far choices set aside what others gave, because this peer's own observations contradict it: 0 not at all, 1 as if
   * it were alone. Null where the policy has no guard.
   */
  readonly aside: number | null;
  /** Choices that wait for a reward. */
  readonly pending: number;
  /** Reports of other peers' choices that wait until those have answered. */
  readonly queued: number;
  readonly exchanges: ExchangeCounts;
  /** The partner of an exchange of which nobody knows the end yet. */
  readonly inDoubt: PeerId | null;
  /** Exchanges given up in doubt: each may have left two peers uneven. */
  readonly massAtRisk: number;
  readonly violations: Readonly<Partial<Record<ViolationReason, number>>>;
  /** What is counted against others, and what came of it. */
  readonly strangers: Strangers;
  /** Whether another tab owns the store that they share. It meets the others in the room, so `alive` is empty here. */
  readonly follows: boolean;
  readonly incarnation: number;
  readonly quarantined: Quarantine | null;
}

export function describeState(
  room: string,
  host: PeerHost,
  network: Network,
  ledger: Ledger,
  { exchanges, misfits }: Pick<PeerState, "exchanges" | "misfits">,
): PeerState {
  const { learner, round, config } = host.peer;
  const { estimate, evidence, own, outdated = 0, buffered, pruned } = learner.view;
  const lenders = learner.view.lenders?.();
  const alive = [...network.alive()];
  return {
    self: network.self,
    origin: host.origin,
    room,
    policy: config.policy.kind,
    round,
    size: host.driver.node.count,
    alive,
    near: alive.filter((peer) => learner.near(peer)),
    pruned: [...pruned].sort(),
    misfits,
    lenders: lenders === undefined ? null : [...lenders.keys()].sort(),
    estimate: Array.from(estimate),
    evidence,
    own,
    buffered,
    outdated,
    aside: learner.view.aside ?? null,
    pending: ledger.pending.size,
    queued: host.queued,
    exchanges: { ...exchanges },
    inDoubt: host.exchange?.flight?.partner ?? null,
    massAtRisk: host.exchange?.massAtRisk ?? 0,
    violations: Object.fromEntries(host.violations),
    strangers: host.driver.node.strangers,
    follows: host.follows,
    incarnation: host.incarnation,
    quarantined: host.quarantined,
  };
}
