import { type Arms, createFleet, initialPeer, type Policy, Random, step } from "@coterie/core";
import { type DcbOffer, meetPair, type OfferedTurn, Pairer } from "@coterie/core/internal";
import type { Stage } from "./stage.ts";

/** Arms, rewards and partners that are fixed beforehand, so that every driver plays the same. */

export const DIMENSION = 4;
const ARMS = 5;

/** Peers of even index like the first coordinate, those of odd index the second. */
export const tasteOf = (index: number): number => index % 2;

export function armsOf(round: number, index: number): Arms {
  const draw = Random.seeded(7).fork(round).fork(index);
  return { count: ARMS, values: draw.normals(new Float64Array(ARMS * DIMENSION)).map((value) => value / 6) };
}

export function pay(round: number, index: number, arms: Arms, arm: number): number {
  const noise = Random.seeded(8).fork(round).fork(index).fork(arm).normal();
  return arms.values[arm * DIMENSION + tasteOf(index)]! + 0.1 * noise;
}

/** Who meets whom in round `round`, of those present: pairs, everybody in at most one. */
export function pairsOf(round: number, present: readonly number[]): [number, number][] {
  return Array.from(partnersOf(round, present.length))
    .map((j, i): [number, number] => [i, j])
    .filter(([i, j]) => i < j)
    .map(([i, j]) => [present[i]!, present[j]!]);
}

function partnersOf(round: number, count: number): Int32Array {
  const partners = new Int32Array(count);
  new Pairer(count).matching(partners, Random.seeded(3).fork(round));
  return partners;
}

/** After what `between` steps in. */
type Step = "choice" | "reward" | "meeting" | "close";

/** One round of those present, in the order of a fleet: they choose and are paid, meet, and close. `between` may step in anywhere. */
export async function playRound(
  stage: Stage,
  round: number,
  present: readonly number[],
  between: (after: Step) => Promise<void> = async () => {},
): Promise<number[]> {
  const chosen: number[] = [];
  for (const index of present) {
    const arms = armsOf(round, index);
    const arm = stage.choose(index, arms);
    chosen.push(arm);
    await between("choice");
    const from = arm * DIMENSION;
    await stage.observe(index, arms.values.slice(from, from + DIMENSION), pay(round, index, arms, arm));
    await between("reward");
  }
  for (const pair of pairsOf(round, present)) {
    await stage.turn([], [pair]);
    await between("meeting");
  }
  await stage.turn(present, []);
  await between("close");
  return chosen;
}

export async function playRounds(
  stage: Stage,
  first: number,
  last: number,
  present: readonly number[],
): Promise<number[][]> {
  const chosen: number[][] = [];
  for (let round = first; round <= last; round++) chosen.push(await playRound(stage, round, present));
  return chosen;
}

/** The same as the lab plays it: what everybody chooses, and what it believes in the end. */
export function byFleet(policy: Policy, peers: number, rounds: number): { chosen: number[][]; estimates: number[][] } {
  if (policy.pairing === "calls") return inTurn(policy, peers, rounds);
  const fleet = createFleet({ policy, dimension: DIMENSION, peers, random: Random.seeded(1) });
  const chosen = Array.from({ length: rounds }, (_, k) => {
    const offered: OfferedTurn = {
      arms: (index) => armsOf(k + 1, index),
      pay: (index, arm) => pay(k + 1, index, armsOf(k + 1, index), arm),
    };
    fleet.round(offered, partnersOf(k + 1, peers));
    return Array.from(fleet.choices);
  });
  return { chosen, estimates: Array.from({ length: peers }, (_, i) => Array.from(fleet.estimate(i))) };
}

/** Where peers call each other, one meeting takes effect before the next one: a fleet that is given all partners at once has them read each other as they were. */
function inTurn(policy: Policy, count: number, rounds: number): { chosen: number[][]; estimates: number[][] } {
  const present = range(count);
  const peers = present.map((index) => initialPeer({ id: `${index}`, dimension: DIMENSION, policy, peers: count }));
  const chosen = range(rounds).map((k) => {
    const choices = present.map((index) => {
      const arms = armsOf(k + 1, index);
      const [effect] = step(peers[index]!, { kind: "choose", arms });
      const arm = effect?.kind === "chosen" ? effect.arm : -1;
      step(peers[index]!, { kind: "reward", reward: pay(k + 1, index, arms, arm) });
      return arm;
    });
    for (const [a, b] of pairsOf(k + 1, present)) meetPair(peers[a]!, peers[b]!);
    for (const peer of peers) step(peer, { kind: "close" });
    return choices;
  });
  return { chosen, estimates: peers.map(({ learner }) => Array.from(learner.view.estimate)) };
}

export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** How close a peer's estimate is to its taste: the cosine of the angle between them. */
export function fit(stage: Stage, index: number): number {
  const { estimate } = stage.peer(index).learner.view;
  return estimate[tasteOf(index)]! / Math.hypot(...estimate);
}

/** Σ of the grams' first entry, of the moments' and of the counts over all buffers of these peers; of dcb only. */
export function massOf(stage: Stage, present: readonly number[]): number[] {
  const total = [0, 0, 0];
  for (const index of present) {
    const { slots } = stage.peer(index).learner.offer() as DcbOffer;
    for (let k = 0; k < slots.length; k++) {
      total[0]! += slots.values[slots.offset(k)]!;
      total[1]! += slots.values[slots.offset(k) + (DIMENSION * (DIMENSION + 1)) / 2]!;
      total[2]! += slots.count(k);
    }
  }
  return total;
}
