// DCB and DCCB with their variants. Nothing is updated in place but the lists of who knows what: a slot says which
// observation counts how often, a neighbourhood is read off the list of prunings.
import {
  combine,
  type Evidence,
  estimate,
  nothing,
  type Observation,
  once,
  pairOf,
  ridge,
  withRidge,
} from "./evidence.ts";
import { argmax, delayOf, distance, scoresOf, thresholdOf } from "./formulas.ts";
import type { OracleAnswer, OracleAnswerRound, OracleTrace } from "./oracle-trace.ts";

interface Slot {
  shared: Evidence;
  /** The peer's own observations that came in with this slot, never mixed: what the bridge counts. */
  own: Observation[];
}

interface Knowledge {
  active: Evidence;
  /** Oldest first. With epochs always two: closed, open. */
  slots: Slot[];
}

interface Run {
  trace: OracleTrace;
  peers: Knowledge[];
  history: Observation[];
  prunings: [number, number][];
  epochRounds: number;
}

interface Exchange {
  reset: Set<number>;
  margins: number[];
}

const emptySlot: Slot = { shared: nothing, own: [] };

const epochal = (run: Run): boolean => run.trace.parameters.buffer === "epoch";

const everyone = (run: Run): number[] => run.peers.map((_, i) => i);

const ownOf = (run: Run, peer: number): Observation[] => run.history.filter((seen) => seen.peer === peer);

const neighbourhood = (run: Run, peer: number): number[] =>
  everyone(run).filter(
    (other) => !run.prunings.some((pair) => other !== peer && pair.includes(peer) && pair.includes(other)),
  );

/** The slot-by-slot mean; of two epochs only the closed one mixes. */
function mean(run: Run, mine: Slot[], theirs: Slot[]): Slot[] {
  return mine.map(({ shared, own }, k) =>
    epochal(run) && k === 1
      ? { shared, own }
      : {
          own,
          shared: combine([
            [shared, 0.5],
            [theirs[k].shared, 0.5],
          ]),
        },
  );
}

/** The test of DCCB, on estimates and counts from before this round's observation (not yet in the history). */
function apart(run: Run, t: number, i: number, j: number, margins: number[]): boolean {
  if (run.trace.algorithm === "dcb") return false;
  const own = [ownOf(run, i), ownOf(run, j)];
  const [mine, theirs] = own.map((seen) => estimate(pairOf(withRidge(seen), run.trace.dimension)));
  const gap = distance(mine, theirs) - thresholdOf(run.trace, t, [own[0].length, own[1].length]);
  margins.push(Math.abs(gap));
  return gap > 0;
}

/** Whether two peers with these neighbourhoods, not pruned, mix. */
const compatible = (run: Run, mine: number[], theirs: number[]): boolean =>
  run.trace.parameters.sharing === "mutual" || mine.join() === theirs.join();

/** All at once, from the state before the round. */
function exchangeAtOnce(run: Run, t: number, partners: number[]): Exchange {
  const before = run.peers.map((peer) => peer.slots);
  const circles = everyone(run).map((i) => neighbourhood(run, i));
  const exchange: Exchange = { reset: new Set(), margins: [] };
  partners.forEach((j, i) => {
    if (i === j || !circles[i].includes(j)) return;
    if (apart(run, t, i, j, exchange.margins)) {
      run.prunings.push([i, j]);
      exchange.reset.add(i).add(j);
    } else if (compatible(run, circles[i], circles[j])) {
      run.peers[i].slots = mean(run, before[i], before[j]);
    }
  });
  return exchange;
}

/** One pair after another, each from the state the one before it left. */
function exchangeInTurn(run: Run, t: number, meetings: [number, number][]): Exchange {
  const exchange: Exchange = { reset: new Set(), margins: [] };
  for (const [i, j] of meetings) {
    if (i === j || !neighbourhood(run, i).includes(j)) continue;
    if (apart(run, t, i, j, exchange.margins)) {
      run.prunings.push([i, j]);
      exchange.reset.add(i).add(j);
      continue;
    }
    // A peer about to be reset has nothing left to give, and would lose what it took.
    const resetting = exchange.reset.has(i) || exchange.reset.has(j);
    if (!resetting && compatible(run, neighbourhood(run, i), neighbourhood(run, j))) {
      const [mine, theirs] = [run.peers[i].slots, run.peers[j].slots];
      run.peers[i].slots = mean(run, mine, theirs);
      run.peers[j].slots = mean(run, theirs, mine);
    }
  }
  return exchange;
}

/** Step 3: the observation (already in the history) joins the buffer, or the peer starts again from its own. */
function absorb(run: Run, i: number, seen: Observation, reset: boolean): void {
  const peer = run.peers[i];
  if (reset) {
    const own = ownOf(run, i);
    const bridged = run.trace.parameters.bridge === true;
    const newest = { shared: bridged ? once(own) : withRidge(own), own };
    const older = epochal(run) ? [emptySlot] : peer.slots.map(() => emptySlot);
    peer.slots = [...older, newest];
    peer.active = bridged ? ridge : withRidge(own);
  } else if (epochal(run)) {
    const [closed, open] = peer.slots;
    const own = [...open.own, seen];
    // Open is never mixed, but after a reset it may hold the ridge, so it cannot be rebuilt from `own`.
    const shared = combine([
      [open.shared, 1],
      [once([seen]), 1],
    ]);
    peer.slots = [closed, { shared, own }];
  } else {
    peer.slots = [...peer.slots, { shared: once([seen]), own: [seen] }];
  }
}

/** Step 4: the oldest slot, times the weight, joins the active pair. */
function promote(run: Run, i: number): void {
  const peer = run.peers[i];
  // Without prunings, as in DCB, the neighbourhood is everyone.
  const weight = run.trace.parameters.weight === "mean" ? 1 : neighbourhood(run, i).length;
  const [oldest, ...rest] = peer.slots;
  peer.active = combine([
    [peer.active, 1],
    [oldest.shared, weight],
  ]);
  peer.slots = epochal(run) ? [...rest, emptySlot] : rest;
}

function promoteWhenDue(run: Run, t: number): void {
  const delay = delayOf(run.trace, t);
  if (epochal(run)) {
    run.epochRounds += 1;
    if (run.epochRounds < Math.ceil(delay)) return;
    run.epochRounds = 0;
    for (const i of everyone(run)) promote(run, i);
  } else {
    for (const i of everyone(run)) if (run.peers[i].slots.length > delay) promote(run, i);
  }
}

/** What a peer chooses from: the active pair and, with the bridge, its own observations that are still buffered. */
function known(run: Run, i: number): Evidence {
  const { active, slots } = run.peers[i];
  if (!run.trace.parameters.bridge) return active;
  return combine([[active, 1], ...slots.map(({ own }): [Evidence, number] => [once(own), 1])]);
}

function playRound(run: Run, t: number): OracleAnswerRound {
  const { trace } = run;
  const round = trace.rounds[t - 1];
  const scores = everyone(run).map((i) => scoresOf(trace, pairOf(known(run, i), trace.dimension), t, round, i));
  const choices = scores.map(argmax);
  const { reset, margins } = round.meetings
    ? exchangeInTurn(run, t, round.meetings)
    : exchangeAtOnce(run, t, round.partners ?? everyone(run));
  const seen = choices.map((k, i) => ({ peer: i, round: t, arm: round.arms[i][k], reward: round.rewards[i][k] }));
  run.history.push(...seen);
  for (const i of everyone(run)) absorb(run, i, seen[i], reset.has(i));
  promoteWhenDue(run, t);
  const buffered = run.peers.map((peer) => peer.slots.length);
  if (trace.algorithm === "dcb") return { choices, scores, buffered };
  return { choices, scores, buffered, margins, neighbourhoods: everyone(run).map((i) => neighbourhood(run, i)) };
}

export function gossip(trace: OracleTrace): OracleAnswer {
  const slots = trace.parameters.buffer === "epoch" ? [emptySlot, emptySlot] : [];
  const peers = Array.from({ length: trace.peers }, (): Knowledge => ({ active: ridge, slots }));
  const run: Run = { trace, peers, history: [], prunings: [], epochRounds: 0 };
  const rounds = trace.rounds.map((_, k) => playRound(run, k + 1));
  return { rounds, final: peers.map(({ active }) => pairOf(active, trace.dimension)) };
}
