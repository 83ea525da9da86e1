// Plays the oracle's traces with the real policies, and says where the two may rightly differ.
import { armsFrom } from "../bandit/arms.ts";
import type { CentralPolicy } from "../central/centre.ts";
import { createFleet, type Fleet } from "../fleet/fleet.ts";
import type { OfferedTurn } from "../fleet/offered.ts";
import { PeerFleet } from "../fleet/peers.ts";
import { addIdentity, toDense, triangleSize } from "../numbers/packed.ts";
import type { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { meetPair } from "../peer/lockstep.ts";
import { type Peer, step } from "../peer/peer.ts";
import { parsePolicy } from "../policies/parse.ts";
import type { Pair } from "./evidence.ts";
import type { OracleAnswer, OracleRound, OracleTrace } from "./oracle.ts";

/** The oracle's answer, without what only the oracle tells. */
export interface Played {
  rounds: { choices: number[]; buffered?: number[]; neighbourhoods?: number[][] }[];
  /** I + the sums each peer chooses from (without the bridge); none where a centre chooses. */
  final: Pair[];
}

export function policyOf({ algorithm, parameters }: OracleTrace): Policy | CentralPolicy {
  const { clusters, ...options } = parameters;
  return parsePolicy("policy", { kind: algorithm, ...options });
}

export const offeredBy = ({ arms, rewards }: OracleRound, dimension: number): OfferedTurn => ({
  arms: (peer) => armsFrom(arms[peer], dimension),
  pay: (peer, arm) => rewards[peer][arm],
});

/** `random` is the fleet's own stream: what thompson draws. */
export function play(trace: OracleTrace, random: Random): Played {
  const { peers, dimension, parameters } = trace;
  const clusters = parameters.clusters ? Int32Array.from(parameters.clusters) : null;
  const fleet = createFleet({ policy: policyOf(trace), dimension, peers, random, clusters });
  const rounds = trace.rounds.map((round, k) => {
    const choices = playRound(fleet, round, dimension, random.fork("choice").fork(k + 1));
    return { choices, ...held(trace, fleet) };
  });
  const members = fleet instanceof PeerFleet ? fleet.members : [];
  return { rounds, final: members.map(({ learner }) => pairFrom(learner.view.active, dimension)) };
}

function playRound(fleet: Fleet, round: OracleRound, dimension: number, draws: Random): number[] {
  const offered = offeredBy(round, dimension);
  if (!(fleet instanceof PeerFleet) || round.meetings === undefined) {
    fleet.round(offered, round.partners && Int32Array.from(round.partners));
    return Array.from(fleet.choices);
  }
  const choices = fleet.members.map((peer, i) => chooseAndBePaid(peer, offered, i, draws.fork(i)));
  for (const [a, b] of round.meetings) meetPair(fleet.members[a], fleet.members[b]);
  for (const peer of fleet.members) step(peer, { kind: "close" });
  return choices;
}

/** The first half of a peer's round. Returns the arm. */
export function chooseAndBePaid(peer: Peer, offered: OfferedTurn, index: number, random: Random): number {
  const [effect] = step(peer, { kind: "choose", arms: offered.arms(index), random });
  if (effect?.kind !== "chosen") throw new Error("a peer that is offered arms chooses one");
  step(peer, { kind: "reward", reward: offered.pay(index, effect.arm) });
  return effect.arm;
}

/** What is seen of a fleet after a round, as far as a trace's answer tells it. */
function held({ algorithm }: OracleTrace, fleet: Fleet): Omit<Played["rounds"][number], "choices"> {
  const all = range(fleet.peers);
  const neighbourhoods = all.map((i) => all.filter((j) => fleet.near(i, j)));
  if (algorithm === "club") return { neighbourhoods };
  if (!(fleet instanceof PeerFleet) || (algorithm !== "dcb" && algorithm !== "dccb")) return {};
  const buffered = fleet.members.map(({ learner }) => learner.view.buffered);
  return algorithm === "dcb" ? { buffered } : { buffered, neighbourhoods };
}

/** (I + gram, moment) of a slot. */
export function pairFrom(slot: Float64Array, dimension: number): Pair {
  const gram = slot.slice();
  addIdentity(gram, 0, dimension, 1);
  const moment = Array.from(slot.subarray(triangleSize(dimension), triangleSize(dimension) + dimension));
  return { gram: toDense(gram, dimension), moment };
}

export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Closer than this, rounding may decide; no trace with such a choice or test is compared. */
const NEAR = 1e-9;

/** An arm offered twice is no near tie: both get the same bits, and the lower index wins. */
export function nearTie(trace: OracleTrace, answer: OracleAnswer): boolean {
  return answer.rounds.some(({ scores, choices, margins = [] }, k) => {
    const close = scores.some((row, i) => {
      const arms = trace.rounds[k].arms[i];
      const best = choices[i];
      return row.some((score, arm) => row[best] - score < NEAR && arms[arm].join() !== arms[best].join());
    });
    return close || margins.some((margin) => margin < NEAR);
  });
}
