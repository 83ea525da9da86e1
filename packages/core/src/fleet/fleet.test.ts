import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { Pairer, type Pairing } from "../gossip/pairing.ts";
import { Random } from "../numbers/random.ts";
import type { Outcome, Policy } from "../peer/learner.ts";
import { meetPair } from "../peer/lockstep.ts";
import { initialPeer, type Peer, step } from "../peer/peer.ts";
import { snapshot } from "../peer/snapshot.ts";
import { dcb } from "../policies/dcb.ts";
import { dccb } from "../policies/dccb.ts";
import { parsePolicy, policyKinds } from "../policies/parse.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import { chooseAndBePaid, range } from "../testing/play.ts";
import { smallWorld } from "../testing/small-world.ts";
import { SOCIABLE, VARIANTS } from "../testing/variants.ts";
import { refusal } from "../wire/frame.ts";
import { createFleet } from "./fleet.ts";
import { PeerFleet } from "./peers.ts";

const PEERS = 6;
const D = 3;
const ROUNDS = 40;
const world = smallWorld({ seed: 3, peers: PEERS, dimension: D, clusters: 2 });
const clusters = Int32Array.from(range(PEERS), (i) => i % 2);
const PAIRINGS: Pairing[] = ["permutation", "matching", "neighbours", "asynchronous"];

const fleetOf = (policy: Policy, seed = 5): PeerFleet =>
  new PeerFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(seed) }, policy);

const state = (peer: Peer): string => fingerprint(snapshot(peer));

function play(fleet: PeerFleet): PeerFleet {
  for (let round = 1; round <= ROUNDS; round++) fleet.round(world(round));
  return fleet;
}

describe("the same seed", () => {
  const run = (kind: string, choice: object, seed: number): number[][] => {
    const policy = parsePolicy("policy", { kind, ...choice });
    const fleet = createFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(seed), clusters });
    return range(ROUNDS).map((k) => {
      fleet.round(world(k + 1));
      return Array.from(fleet.choices);
    });
  };

  it.each(policyKinds)("gives the same choices, another seed others: %s", (kind) => {
    const choice = kind === "random" ? {} : { choice: "thompson" };
    expect(run(kind, choice, 1)).toEqual(run(kind, choice, 1));
    expect(run(kind, choice, 1)).not.toEqual(run(kind, choice, 2));
  });
});

describe("a fleet draws who meets whom", () => {
  const threshold = { kind: "practical", factor: 0.5 } as const;

  it.each(PAIRINGS)("as its policy says: %s", (pairing) => {
    const policy = dccb({ pairing, threshold, delay: { rounds: 2 } });
    const fleet = fleetOf(policy);
    const peers = fleet.members.map(({ config }) => initialPeer(config));
    const given = fleetOf(policy);
    const pairer = new Pairer(PEERS);
    const stream = Random.seeded(5);
    const near = (a: number, b: number): boolean => a === b || peers[a].learner.near(`${b}`);
    let pruned = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      fleet.round(world(round));
      const random = stream.fork("pairing").fork(round);
      if (pairing === "asynchronous") {
        peers.forEach((peer, i) => {
          chooseAndBePaid(peer, world(round), i, stream.fork("choice").fork(round).fork(i));
        });
        pairer.asynchronous(random, near, (a, b) => {
          pruned += meetPair(peers[a], peers[b]) === "prune" ? 1 : 0;
        });
        for (const peer of peers) step(peer, { kind: "close" });
        expect(peers.map(state)).toEqual(fleet.members.map(state));
      } else {
        const partners = new Int32Array(PEERS);
        pairer[pairing](partners, random, (a, b) => given.near(a, b));
        given.round(world(round), partners);
        expect(given.members.map(state)).toEqual(fleet.members.map(state));
        pruned += given.outcomes.filter((outcome) => outcome === "prune").length;
      }
    }
    expect(pruned).toBeGreaterThan(0);
  });
});

describe("traffic", () => {
  /** The same policy, but bytes are counted by making the frames. */
  function encoding(policy: Policy): Policy {
    const codec = policy.codec!;
    const lengths = (frames: readonly Uint8Array[]): number => frames.reduce((sum, frame) => sum + frame.length, 0);
    const sent = (frames: readonly Uint8Array[], outcome: Outcome): readonly Uint8Array[] => {
      if (outcome === "stranger") return [refusal(D)];
      return outcome === "mix" ? frames : frames.slice(0, 1);
    };
    const bytes: typeof codec.bytes = (offer, outcome, to) =>
      // Peers of which neither is due an exchange of records do not talk at all.
      policy.kind === "kindred" && outcome === "keep" ? 0 : lengths(sent(codec.encode(offer, to), outcome));
    return { ...policy, codec: { ...codec, bytes } };
  }

  const asynchronous = { pairing: "asynchronous", delay: { rounds: 3 } } as const;
  const policies: [string, Policy][] = [
    ...SOCIABLE.map((name): [string, Policy] => [name, VARIANTS[name]]),
    ["dcb, asynchronous", dcb(asynchronous)],
    ["dccb, asynchronous", dccb({ ...asynchronous, threshold: { kind: "practical", factor: 0.4 } })],
  ];

  it.each(policies)("is what the frames come to: %s", (_, policy) => {
    const fleet = play(fleetOf(policy));
    expect(fleet.traffic).toEqual(play(fleetOf(encoding(policy))).traffic);
    expect(fleet.traffic.exchanges).toBeGreaterThan(0);
  });

  it("of dcb is two frames a pair, a slot more each round", () => {
    // d = 3: a slot is 9 numbers of 8 bytes, its count 8 and a flag 1; a frame has 11 + 8 bytes around them.
    const fleet = fleetOf(dcb({ delay: { rounds: 100 } }));
    for (let round = 1; round <= 4; round++) fleet.round(world(round));
    expect(fleet.traffic).toEqual({ exchanges: 24, bytes: 6 * (19 * 4 + 81 * (0 + 1 + 2 + 3)) });
  });

  it("of those who meet nobody is nothing", () => {
    expect(play(fleetOf(VARIANTS.solo)).traffic).toEqual({ bytes: 0, exchanges: 0 });
  });
});

describe("what is seen of a fleet", () => {
  it("evidence counts what the active sums hold", () => {
    // Unit arms: the trace of the gram is the number of observations in it.
    const fleet = fleetOf(dcb({ delay: { rounds: 3 } }));
    const arm = (k: number): Float64Array => Float64Array.from(range(D), (i) => (i === k % D ? 1 : 0));
    for (let round = 1; round <= ROUNDS; round++) {
      fleet.round({ arms: (peer) => ({ count: 1, values: arm(peer + round) }), pay: () => 1 });
    }
    for (const i of range(PEERS)) {
      const { active, evidence } = fleet.members[i].learner.view;
      expect(Math.abs(active[0] + active[2] + active[5] - evidence)).toBeLessThan(1e-9);
      expect([fleet.evidence(i), fleet.own(i)]).toEqual([evidence, ROUNDS]);
    }
    const total = range(PEERS).reduce((sum, i) => sum + fleet.evidence(i), 0);
    // Averaging loses nothing: V peers, each with the sum over V of all rounds but the three that wait.
    expect(total).toBeCloseTo(PEERS * PEERS * (ROUNDS - 3), 6);
  });

  it("needs a peer at least", () => {
    expect(() => createFleet({ policy: dcb(), dimension: D, peers: 0, random: Random.seeded(1) })).toThrow(ConfigError);
  });
});
