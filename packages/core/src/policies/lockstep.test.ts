import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PeerFleet } from "../fleet/peers.ts";
import type { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { initialPeer, type Peer, step } from "../peer/peer.ts";
import { snapshot } from "../peer/snapshot.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import type { OracleTrace } from "../testing/oracle.ts";
import { chooseAndBePaid, offeredBy, policyOf, range } from "../testing/play.ts";
import { policyStream, traces } from "../testing/traces.ts";
import { isCentral } from "./parse.ts";

// A fleet mixes in place and lends one peer's arrays to another. It must come to the very bits that peers come to which
// are stepped one by one, in any order, with copies of their partners' offers from before the round.

function peerPolicy(trace: OracleTrace): Policy {
  const policy = policyOf(trace);
  if (isCentral(policy)) throw new Error("a policy of peers is needed");
  return policy;
}

const state = (peer: Peer): string => fingerprint(snapshot(peer));

/** The meetings of a round through `step` alone. */
function stepRound(peers: readonly Peer[], partners: readonly number[], order: readonly number[]): void {
  const ids = peers.map(({ config }) => config.id);
  const offers = peers.map(({ learner }) => learner.copyOffer());
  for (const i of order) {
    const j = partners[i];
    if (i === j) continue;
    const [effect] = step(peers[i], { kind: "meet", partner: ids[j], offer: offers[j] });
    if (effect?.kind === "met" && effect.outcome === "prune") step(peers[j], { kind: "part", partner: ids[i] });
  }
  for (const i of order) step(peers[i], { kind: "settle" });
  for (const i of order) step(peers[i], { kind: "close" });
}

function follow(trace: OracleTrace, random: Random, order: (t: number) => readonly number[]): void {
  const { peers: count, dimension } = trace;
  const policy = peerPolicy(trace);
  const fleet = new PeerFleet({ policy, dimension, peers: count, random }, policy);
  const peers = range(count).map((i) => initialPeer({ id: `${i}`, dimension, policy, peers: count }));
  const ring = range(count).map((i) => (i + count - 1) % count);
  trace.rounds.forEach((round, k) => {
    const offered = offeredBy(round, dimension);
    const partners = round.partners ?? ring;
    fleet.round(offered, Int32Array.from(partners));
    const turn = order(k + 1);
    for (const i of turn)
      chooseAndBePaid(
        peers[i],
        offered,
        i,
        random
          .fork("choice")
          .fork(k + 1)
          .fork(i),
      );
    stepRound(peers, partners, turn);
    expect(peers.map(state)).toEqual(fleet.members.map(state));
  });
}

describe.each(["dcb", "dccb", "round-robin"] as const)("%s in lockstep is", (algorithm) => {
  const inMaps = traces(algorithm, 12).filter(({ trace }) => !trace.rounds[0].meetings);

  it("each peer stepped with copies, in any order, bit for bit", () => {
    const lengths = new Set<number>();
    const same = fc.property(inMaps, ({ trace, seed }) => {
      follow(trace, policyStream(seed), (t) => policyStream(seed).fork("order").fork(t).shuffle(range(trace.peers)));
      for (const { partners = [] } of trace.rounds) lengths.add(cycleLength(partners, 0));
    });
    fc.assert(same, { seed: 7, numRuns: 500 });
    if (algorithm !== "round-robin") expect([...lengths].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

function cycleLength(partners: readonly number[], first: number): number {
  let length = 1;
  for (let i = partners[first] ?? first; i !== first; i = partners[i]) length += 1;
  return length;
}
