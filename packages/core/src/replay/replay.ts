import { Statistics } from "../bandit/statistics.ts";
import type { CentralPolicy } from "../central/centre.ts";
import { club } from "../central/club.ts";
import { pooled } from "../central/pooled.ts";
import { InvariantError } from "../errors.ts";
import { createFleet, type Fleet } from "../fleet/fleet.ts";
import type { OfferedTurn } from "../fleet/offered.ts";
import { PeerFleet } from "../fleet/peers.ts";
import { addIdentity, toDense, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { dcb } from "../policies/dcb.ts";
import { dccb } from "../policies/dccb.ts";
import { solo } from "../policies/solo.ts";
import { gossips, type Trace, type TraceRound } from "./trace.ts";

/** The one right answer to a trace (algorithms.md, section 8). */
export interface TraceAnswer {
  readonly rounds: readonly TraceAnswerRound[];
  /** Per peer, I included. */
  readonly final: readonly { readonly gram: number[][]; readonly moment: number[] }[];
}

/** One round of an answer, in the order of the peers. */
export interface TraceAnswerRound {
  readonly choices: number[];
  readonly buffered?: number[];
  readonly neighbourhoods?: number[][];
}

/** Plays a trace with the same peers that run everywhere else. */
export function replay(trace: Trace): TraceAnswer {
  const { peers, dimension } = trace;
  const fleet = createFleet({ policy: policyOf(trace), dimension, peers, random: Random.seeded(0) });
  const locals = Array.from({ length: peers }, () => new Statistics(dimension));
  const rounds = trace.rounds.map((round) => {
    fleet.round(offeredBy(round), round.partners);
    fleet.choices.forEach((arm, i) => {
      locals[i]!.add(round.offers[i]!.values, arm * dimension, fleet.rewards[i]!);
    });
    return describe(trace, fleet);
  });
  const final = locals.map((local, i) => pairOf(gossips(trace.algorithm) ? activeOf(fleet, i) : local.slot, dimension));
  return { rounds, final };
}

function policyOf(trace: Trace): Policy | CentralPolicy {
  const { radius, delay, weight, threshold } = trace.parameters;
  // A partner map stands in the trace, so how partners would be drawn does not matter.
  const gossip = { radius, weight, ...(delay && { delay }) };
  switch (trace.algorithm) {
    case "solo":
      return solo({ radius });
    case "pooled":
      return pooled({ radius });
    case "club":
      return club({ radius, ...(threshold && { threshold }) });
    case "dcb":
      return dcb(gossip);
    case "dccb":
      return dccb({ ...gossip, ...(threshold && { threshold }) });
  }
}

const offeredBy = (round: TraceRound): OfferedTurn => ({
  arms: (peer) => round.offers[peer]!,
  pay: (peer, arm) => round.offers[peer]!.rewards[arm]!,
});

function describe(trace: Trace, fleet: Fleet): TraceAnswerRound {
  const peers = Array.from({ length: trace.peers }, (_, i) => i);
  const near = (): number[][] => peers.map((i) => peers.filter((j) => fleet.near(i, j)));
  const round: TraceAnswerRound = { choices: Array.from(fleet.choices) };
  if (trace.algorithm === "club") return { ...round, neighbourhoods: near() };
  if (!gossips(trace.algorithm)) return round;
  const buffered = peersOf(fleet).map((peer) => peer.learner.view.buffered);
  return trace.algorithm === "dcb" ? { ...round, buffered } : { ...round, buffered, neighbourhoods: near() };
}

function peersOf(fleet: Fleet): PeerFleet["members"] {
  if (!(fleet instanceof PeerFleet)) throw new InvariantError("a gossiping policy runs in peers");
  return fleet.members;
}

const activeOf = (fleet: Fleet, peer: number): Float64Array => peersOf(fleet)[peer]!.learner.view.active;

function pairOf(slot: Float64Array, dimension: number): { gram: number[][]; moment: number[] } {
  const withIdentity = slot.slice();
  addIdentity(withIdentity, 0, dimension, 1);
  return {
    gram: toDense(withIdentity, dimension),
    moment: Array.from(slot.subarray(triangleSize(dimension), triangleSize(dimension) + dimension)),
  };
}
