// The naive second opinion: every policy written from the specification alone, with everything recomputed from the
// whole history. Slow on purpose; the tests compare the real implementation with it.
import { estimate, type Observation, pairOf, withRidge } from "./evidence.ts";
import { argmax, distance, scoresOf, thresholdOf } from "./formulas.ts";
import { gossip } from "./oracle-gossip.ts";
import type { OracleAnswer, OracleTrace } from "./oracle-trace.ts";

export type { OracleAnswer, OracleParameters, OracleRound, OracleTrace } from "./oracle-trace.ts";

export function oracle(trace: OracleTrace): OracleAnswer {
  switch (trace.algorithm) {
    case "dcb":
    case "dccb":
      return gossip(trace);
    case "club":
      return club(trace);
    default:
      return tableau(trace);
  }
}

const indices = (trace: OracleTrace): number[] => Array.from({ length: trace.peers }, (_, i) => i);

function observe(trace: OracleTrace, t: number, peer: number, choice: number): Observation {
  const { arms, rewards } = trace.rounds[t - 1];
  return { peer, round: t, arm: arms[peer][choice], reward: rewards[peer][choice] };
}

/** Whether `peer`, after round `t`, counts an observation: all that tells these policies apart. */
function counts(trace: OracleTrace, t: number, peer: number, seen: Observation): boolean {
  switch (trace.algorithm) {
    case "pooled":
      return true;
    case "oracle": {
      const { clusters } = trace.parameters;
      if (!clusters) throw new Error("the oracle policy needs the clusters");
      return clusters[peer] === clusters[seen.peer];
    }
    case "round-robin": {
      // One hop along the ring a round, the first in the round after it was made.
      const hops = (peer - seen.peer + trace.peers) % trace.peers;
      return seen.round + hops <= t;
    }
    default:
      return seen.peer === peer;
  }
}

/** solo, pooled, oracle and round-robin: choose from I and the observations that count. */
function tableau(trace: OracleTrace): OracleAnswer {
  const history: Observation[] = [];
  const pairAfter = (t: number, i: number) =>
    pairOf(withRidge(history.filter((seen) => counts(trace, t, i, seen))), trace.dimension);
  const rounds = trace.rounds.map((round, k) => {
    const scores = indices(trace).map((i) => scoresOf(trace, pairAfter(k, i), k + 1, round, i));
    const choices = scores.map(argmax);
    history.push(...choices.map((choice, i) => observe(trace, k + 1, i, choice)));
    return { choices, scores };
  });
  const local = (i: number) => pairOf(withRidge(history.filter((seen) => seen.peer === i)), trace.dimension);
  const last = (i: number) => (trace.algorithm === "round-robin" ? pairAfter(trace.rounds.length, i) : local(i));
  return { rounds, final: indices(trace).map(last) };
}

/** Everyone that `peer` reaches over the edges left, sorted: add neighbours until none is new. */
function component(trace: OracleTrace, cut: Set<string>, peer: number): number[] {
  let reached = [peer];
  for (;;) {
    const wider = indices(trace).filter((j) => reached.some((i) => i === j || !cut.has(edge(i, j))));
    if (wider.length === reached.length) return wider;
    reached = wider;
  }
}

const edge = (i: number, j: number): string => `${Math.min(i, j)}-${Math.max(i, j)}`;

function club(trace: OracleTrace): OracleAnswer {
  const history: Observation[] = [];
  const cut = new Set<string>();
  const ownOf = (i: number) => history.filter((seen) => seen.peer === i);
  const local = (i: number) => pairOf(withRidge(ownOf(i)), trace.dimension);

  const cutEdges = (t: number, i: number): number[] =>
    indices(trace)
      .filter((j) => j !== i && !cut.has(edge(i, j)))
      .map((j) => {
        const limit = thresholdOf(trace, t, [ownOf(i).length, ownOf(j).length]);
        const gap = distance(estimate(local(i)), estimate(local(j))) - limit;
        if (gap > 0) cut.add(edge(i, j));
        return Math.abs(gap);
      });

  const rounds = trace.rounds.map((round, k) => {
    const served = indices(trace).map((i) => {
      const members = component(trace, cut, i);
      const pair = pairOf(withRidge(history.filter((seen) => members.includes(seen.peer))), trace.dimension);
      const scores = scoresOf(trace, pair, history.length + 1, round, i);
      history.push(observe(trace, k + 1, i, argmax(scores)));
      return { scores, margins: cutEdges(k + 1, i) };
    });
    const scores = served.map((one) => one.scores);
    const neighbourhoods = indices(trace).map((i) => component(trace, cut, i));
    return { choices: scores.map(argmax), scores, neighbourhoods, margins: served.flatMap((one) => one.margins) };
  });
  return { rounds, final: indices(trace).map(local) };
}
