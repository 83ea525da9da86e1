// Section 2, "Gossip Sharing Protocol for DCB". Names of equations and lemmas are the labels in the paper's source.
import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import type { OfferedTurn } from "../fleet/offered.ts";
import { Pairer } from "../gossip/pairing.ts";
import { addIdentity, addScaled, slotSize, toDense, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { dcb } from "../policies/dcb.ts";
import { identity, type Matrix, outer, plus } from "../testing/dense.ts";
import { gap, seeds } from "./testing/measure.ts";
import { activeOf, diagonal, fleetOf, oneHot, promotedWeights, slotsOf } from "./testing/weights.ts";
import { play, World } from "./testing/world.ts";

const PAIRINGS = ["permutation", "matching", "neighbours", "asynchronous"] as const;
/** t − τ(t) as the algorithms print it. */
const published = (peers: number, round: number): number => 4 * Math.log2(peers ** 1.5 * round);

describe("Section 2, sharing (1): who meets whom", () => {
  it("a permutation is uniform: each partner is as likely, i itself included", () => {
    // "a random permutation, σ, … is chosen uniformly at random"
    const [peers, draws] = [5, 20_000];
    const counts = Array.from({ length: peers }, () => new Array<number>(peers).fill(0));
    const partners = new Int32Array(peers);
    const random = Random.seeded(1);
    for (let k = 0; k < draws; k++) {
      new Pairer(peers).permutation(partners, random);
      for (let i = 0; i < peers; i++) counts[i]![partners[i]!]! += 1;
    }
    // Binomial(draws, 1/5); five standard deviations.
    const spread = 5 * Math.sqrt(draws * 0.2 * 0.8);
    for (const count of counts.flat()) expect(Math.abs(count - draws / peers)).toBeLessThan(spread);
  });

  it("only a pairing lets a peer talk to one other: most permutations join it to two", () => {
    // "every agent can communicate with only one other agent per round"
    const peers = 10;
    const partners = new Int32Array(peers);
    const involutions = (draw: "permutation" | "matching"): number =>
      seeds(200).filter((seed) => {
        new Pairer(peers)[draw](partners, Random.seeded(seed));
        return partners.every((partner, i) => partners[partner] === i);
      }).length;
    expect(involutions("matching")).toBe(200);
    expect(involutions("permutation")).toBeLessThan(5);
  });
});

describe("Section 2, sharing (2): average, then extend", () => {
  const world: OfferedTurn = { arms: (peer) => oneHot(3, peer), pay: (peer) => 10 ** peer };
  const cycle = Int32Array.of(1, 2, 0);

  it("𝒜_{t+1}^i = ½(𝒜_t^i + 𝒜_t^σ(i)) ∘ x xᵀ, and ℬ alike", () => {
    const fleet = fleetOf(dcb(), 3, 3, 1);
    fleet.round(world, cycle);
    fleet.round(world, cycle);
    for (let i = 0; i < 3; i++) {
      const j = cycle[i]!;
      const slots = slotsOf(fleet, i);
      expect(slots.length).toBe(2);
      const [old, fresh] = [0, 1].map((position) => slots.offset(position)) as [number, number];
      const moments = triangleSize(3);
      for (let k = 0; k < 3; k++) {
        const share = k === i || k === j ? 0.5 : 0;
        expect(diagonal(slots.values, old, k)).toBe(share);
        expect(slots.values[old + moments + k]).toBe(share * 10 ** k);
        expect(diagonal(slots.values, fresh, k)).toBe(k === i ? 1 : 0);
        expect(slots.values[fresh + moments + k]).toBe(k === i ? 10 ** k : 0);
      }
    }
  });

  it("the active pair is not shared: Ã_{t+1} = Ã_t + Ã_t^σ(i) is not done", () => {
    // The text adds the partner's active matrix each round, the pseudo-code does not; see docs/paper.md.
    const fleet = fleetOf(dcb({ delay: { rounds: 0 }, weight: "mean" }), 3, 3, 1);
    for (let round = 1; round <= 20; round++) fleet.round(world, cycle);
    // With no delay nothing is ever mixed: the active gram holds the peer's own observations alone.
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) expect(diagonal(activeOf(fleet, i), 0, k)).toBe(k === i ? 20 : 0);
    }
  });

  it.each(PAIRINGS)("averaging conserves the network's mean of every slot (%s)", (pairing) => {
    const [peers, dimension] = [5, 3];
    const fleet = fleetOf(dcb({ pairing }), dimension, peers, 3);
    const world = new World({ peers, dimension, arms: 4, noise: 0.5, seed: 4 });
    const totals: number[][] = [];
    play(world, fleet, 12, (round) => {
      totals.push(new Array<number>(slotSize(dimension)).fill(0));
      for (let t = 0; t < round; t++) {
        const now = new Array<number>(slotSize(dimension)).fill(0);
        for (let i = 0; i < peers; i++) {
          const slots = slotsOf(fleet, i);
          for (let k = 0; k < now.length; k++) now[k]! += slots.values[slots.offset(t) + k]!;
        }
        if (t === round - 1) totals[t] = now;
        else expect(gap(now, totals[t]!)).toBeLessThan(1e-12);
      }
    });
  });
});

describe("Section 2, sharing (3): the delay", () => {
  it.each([1, 2, 5, 8, 30])("a buffer of %d peers holds what 4 log2(|V|^{3/2} t) allows, a real number", (peers) => {
    // "if the length … exceeds t − τ(t), the first element … is added … and deleted"
    const fleet = fleetOf(dcb(), 1, peers, 1);
    const world: OfferedTurn = { arms: () => oneHot(1, 0), pay: () => 0 };
    let length = 0;
    for (let round = 1; round <= 200; round++) {
      fleet.round(world);
      if (length + 1 <= published(peers, round)) length += 1;
      for (const { learner } of fleet.members) expect(learner.view.buffered).toBe(length);
    }
    expect(length).toBe(Math.floor(published(peers, 200)));
  });

  it("τ(t) = t − 4 log2(|V|^{3/2} t) falls before it rises", () => {
    // "τ is an arbitrary monotonically increasing function": the one chosen is so from t = 6 on.
    const tau = (round: number): number => round - published(4, round);
    const falls = Array.from({ length: 50 }, (_, k) => k + 1).filter((t) => tau(t + 1) <= tau(t));
    expect(falls).toEqual([1, 2, 3, 4, 5]);
  });

  it("the active pair knows rounds up to ⌈τ(t)⌉ and all of those, the buffer the rest", () => {
    // "summarise only information gathered before or during time τ(t)": one axis for each round shows which.
    const [peers, rounds] = [2, 60];
    const fleet = fleetOf(dcb(), rounds, peers, 1);
    for (let round = 1; round <= rounds; round++) {
      fleet.round({ arms: () => oneHot(rounds, round - 1), pay: () => 0 });
      const tau = Math.max(0, Math.ceil(round - published(peers, round)));
      for (let i = 0; i < peers; i++) {
        for (let t = 1; t <= rounds; t++) {
          expect(diagonal(activeOf(fleet, i), 0, t - 1)).toBe(t <= tau ? peers : 0);
        }
        expect(slotsOf(fleet, i).length).toBe(round - tau);
      }
    }
  });
});

describe("Section 2, eq. current_weights and eq. def of At", () => {
  it.each(PAIRINGS)("Ã_t^i = I + Σ_t' Σ_i' w x xᵀ and b̃_t^i = Σ_t' Σ_i' w r x (%s)", (pairing) => {
    const [peers, dimension, rounds, seed] = [6, 3, 40, 7];
    const options = { pairing, delay: { rounds: 5 } } as const;
    const weights = promotedWeights(options, peers, rounds, seed);
    const fleet = fleetOf(dcb(options), dimension, peers, seed);
    const world = new World({ peers, dimension, arms: 4, noise: 0.3, seed: 8 });
    const seen: { x: number[]; r: number }[][] = [];
    play(world, fleet, rounds, () =>
      seen.push(fleet.members.map((_, i) => ({ x: [...world.chosen(fleet, i)], r: fleet.rewards[i]! }))),
    );
    expect(weights.length).toBe(rounds - 5);
    for (let i = 0; i < peers; i++) {
      let gram: Matrix = identity(dimension);
      const moment = new Array<number>(dimension).fill(0);
      weights.forEach((ofRound, t) => {
        seen[t]!.forEach(({ x, r }, origin) => {
          gram = plus(gram, outer(x, x), ofRound[i]![origin]!);
          for (let k = 0; k < dimension; k++) moment[k]! += ofRound[i]![origin]! * r * x[k]!;
        });
      });
      const active = activeOf(fleet, i).slice();
      addIdentity(active, 0, dimension, 1);
      expect(gap(toDense(active, dimension).flat(), gram.flat())).toBeLessThan(1e-9);
      expect(gap(active.subarray(triangleSize(dimension)), moment)).toBeLessThan(1e-9);
    }
  });

  it("if sharing is perfect, Ã_t^i = A_τ(t): the sum over all peers and rounds, with one I", () => {
    // Partners along the edges of a cube: after three rounds every slot is the exact mean of all eight peers.
    const [peers, dimension, rounds] = [8, 2, 30];
    const fleet = fleetOf(dcb({ delay: { rounds: 3 } }), dimension, peers, 1);
    const world = new World({ peers, dimension, arms: 3, noise: 0.3, seed: 2 });
    const total = new Float64Array(slotSize(dimension));
    const history: Float64Array[] = [];
    for (let round = 1; round <= rounds; round++) {
      const partners = Int32Array.from({ length: peers }, (_, i) => i ^ (1 << (round % 3)));
      fleet.round(world.next(), partners);
      const ofRound = new Statistics(dimension);
      for (let i = 0; i < peers; i++) ofRound.add(world.chosen(fleet, i), 0, fleet.rewards[i]!);
      history.push(ofRound.slot);
      if (round > 3) addScaled(total, 0, history[round - 4]!, 0, total.length, 1);
      for (let i = 0; i < peers; i++) expect(gap(activeOf(fleet, i), total)).toBeLessThan(1e-9);
    }
    // Arms of length 1: the trace counts observations.
    expect(total[0]! + total[2]!).toBeCloseTo(peers * (rounds - 3), 9);
  });
});
