// Appendix A.1, the pseudo-code: how CB, DCB and DCCB are cases of one another.
import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import { createFleet } from "../fleet/fleet.ts";
import type { PeerFleet } from "../fleet/peers.ts";
import { Random } from "../numbers/random.ts";
import { dcb } from "../policies/dcb.ts";
import { dccb } from "../policies/dccb.ts";
import { solo } from "../policies/solo.ts";
import { apply, dot, identity, inverse, plus } from "../testing/dense.ts";
import { estimate, pairOf } from "../testing/evidence.ts";
import { argmax, radiusOf } from "../testing/formulas.ts";
import { NEVER } from "./testing/clusters.ts";
import { gap } from "./testing/measure.ts";
import { activeOf, fleetOf, slotsOf } from "./testing/weights.ts";
import { World } from "./testing/world.ts";

const DIMENSION = 4;
const worldOf = (peers: number, seed = 1): World =>
  new World({ peers, dimension: DIMENSION, arms: 6, noise: 0.4, seed });

const bits = (values: ArrayLike<number>): string[] =>
  Array.from(new BigUint64Array(Float64Array.from(values as ArrayLike<number>).buffer), (word) => word.toString(16));

/** All a peer would choose from and all it would share, bit for bit. */
const stateOf = (fleet: PeerFleet, peer: number): string[][] => {
  const slots = slotsOf(fleet, peer);
  const held = Array.from({ length: slots.length }, (_, k) => {
    const from = slots.offset(k);
    return bits(slots.values.subarray(from, from + slots.size));
  });
  return [bits(activeOf(fleet, peer)), ...held];
};

describe("Appendix A.1, Algorithm CB", () => {
  it.each([
    { kind: "practical", alpha: 0.7 },
    { kind: "theory", norm: 1, noise: 0.4, delta: 0.1, weight: 1 },
  ] as const)("chooses argmax x·θ̂ + ρ‖x‖_{A⁻¹}, then A += x xᵀ, b += r x ($kind)", (radius) => {
    // "(x_t, ∗) = argmax_{(x,θ̃) ∈ 𝒟_t×C_t} xᵀθ̃", written out densely.
    const world = worldOf(1);
    const fleet = fleetOf(solo({ radius }), DIMENSION, 1, 1);
    const seen: { peer: number; round: number; arm: number[]; reward: number }[] = [];
    for (let round = 1; round <= 80; round++) {
      fleet.round(world.next());
      const pair = pairOf(new Map(seen.map((one) => [one, 1])), DIMENSION);
      const gram = plus(pair.gram, identity(DIMENSION));
      const [centre, inverted] = [estimate({ gram, moment: pair.moment }), inverse(gram)];
      const { count, values } = world.arms(0);
      const arms = Array.from({ length: count }, (_, k) => [...values.subarray(k * DIMENSION, (k + 1) * DIMENSION)]);
      const rho = radiusOf(radius, round, gram);
      const scores = arms.map((x) => dot(x, centre) + rho * Math.sqrt(dot(x, apply(inverted, x))));
      expect(fleet.choices[0]).toBe(argmax(scores));
      seen.push({ peer: 0, round, arm: arms[fleet.choices[0]!]!, reward: fleet.rewards[0]! });
    }
  });
});

describe("Appendix A.1, Algorithm DCB", () => {
  it("with one peer and no delay is CB: the same sums to the bit, the same choices", () => {
    const [alone, gossip] = [fleetOf(solo(), DIMENSION, 1, 1), fleetOf(dcb({ delay: { rounds: 0 } }), DIMENSION, 1, 1)];
    const world = worldOf(1);
    for (let round = 1; round <= 600; round++) {
      world.next();
      alone.round(world);
      gossip.round(world);
      expect(gossip.choices).toEqual(alone.choices);
      expect(bits(activeOf(gossip, 0))).toEqual(bits(activeOf(alone, 0)));
    }
  });

  it("with one peer and a delay is CB on what is older than the delay", () => {
    const fleet = fleetOf(dcb(), DIMENSION, 1, 1);
    const world = worldOf(1);
    const sums: Float64Array[] = [new Statistics(DIMENSION).slot];
    const total = new Statistics(DIMENSION);
    for (let round = 1; round <= 200; round++) {
      fleet.round(world.next());
      total.add(world.chosen(fleet, 0), 0, fleet.rewards[0]!);
      sums.push(total.slot.slice());
      const waiting = fleet.members[0]!.learner.view.buffered;
      expect(gap(activeOf(fleet, 0), sums[round - waiting]!)).toBeLessThan(1e-10);
    }
    expect(fleet.members[0]!.learner.view.buffered).toBe(Math.floor(4 * Math.log2(200)));
  });

  it("the loop's t = 0 has no log2 t: rounds are counted from 1", () => {
    // "for t = 0, … ∞ … if |𝒜_{t+1}| > t − τ(t)": read to the letter the first slot is promoted at once, unmixed.
    const fleet = fleetOf(dcb(), DIMENSION, 4, 1);
    fleet.round(worldOf(4).next());
    for (const { learner } of fleet.members) expect(learner.view.buffered).toBe(1);
  });
});

describe("Section 3, Algorithm DCCB without its blue lines", () => {
  it.each(["permutation", "matching"] as const)(
    "with a threshold nobody passes is DCB, bit for bit (%s)",
    (pairing) => {
      const peers = 5;
      const common = { pairing, delay: { factor: 4, networkExponent: 1.5 } } as const;
      const plain = fleetOf(dcb(common), DIMENSION, peers, 9);
      const clustering = fleetOf(dccb({ ...common, threshold: NEVER }), DIMENSION, peers, 9);
      const world = worldOf(peers);
      for (let round = 1; round <= 120; round++) {
        world.next();
        plain.round(world);
        clustering.round(world);
        expect(clustering.choices).toEqual(plain.choices);
        for (let i = 0; i < peers; i++) expect(stateOf(clustering, i)).toEqual(stateOf(plain, i));
      }
    },
  );

  it.each([
    { weight: "mean" },
    { buffer: "epoch" },
    { bridge: true },
    { choice: "thompson" },
    { radius: { kind: "theory", norm: 1, noise: 0.4, delta: 0.1, weight: 1 } },
  ] as const)("so too with %o", (variant) => {
    const peers = 4;
    const common = { pairing: "matching", delay: { rounds: 5 }, ...variant } as const;
    const config = { dimension: DIMENSION, peers, random: Random.seeded(2) };
    const plain = createFleet({ ...config, policy: dcb(common) }) as PeerFleet;
    const clustering = createFleet({ ...config, policy: dccb({ ...common, threshold: NEVER }) }) as PeerFleet;
    const world = worldOf(peers, 3);
    for (let round = 1; round <= 40; round++) {
      world.next();
      plain.round(world);
      clustering.round(world);
      expect(clustering.choices).toEqual(plain.choices);
      for (let i = 0; i < peers; i++) expect(stateOf(clustering, i)).toEqual(stateOf(plain, i));
    }
  });
});
