import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { armsFrom } from "../bandit/arms.ts";
import { ConfigError } from "../errors.ts";
import { createFleet } from "../fleet/fleet.ts";
import { Random } from "../numbers/random.ts";
import { parsePolicy } from "../policies/parse.ts";
import { solo } from "../policies/solo.ts";
import { apply, dot, inverse, type Vector } from "../testing/dense.ts";
import { estimate, type Observation, type Pair, pairOf, withRidge } from "../testing/evidence.ts";
import { argmax, distance } from "../testing/formulas.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { smallWorld } from "../testing/small-world.ts";
import { playTwoKinds } from "../testing/two-kinds.ts";
import { club } from "./club.ts";
import { sclub } from "./sclub.ts";

const D = 2;
const NEAR = 1e-9;
const f = (n: number): number => Math.sqrt((1 + Math.log(1 + n)) / (1 + n));

interface ModelGroup {
  members: number[];
  noted: { centre: Vector; count: number };
}

/** SCLUB from the paper, everything recomputed from the whole history, every pair of groups tested every time. */
class Model {
  readonly history: Observation[] = [];
  groups: ModelGroup[];
  checked = new Set<number>();
  /** The closest that any test came to its limit. */
  margin = Infinity;
  readonly met = { strayed: 0, tooOften: 0, joined: 0, ripened: 0 };

  constructor(
    readonly peers: number,
    readonly factor: number,
    readonly frequency: number,
  ) {
    this.groups = [{ members: range(peers), noted: { centre: [0, 0], count: 0 } }];
  }

  seenBy = (members: number[]): Observation[] => this.history.filter(({ peer }) => members.includes(peer));
  pair = (members: number[]): Pair => pairOf(withRidge(this.seenBy(members)), D);
  groupOf = (peer: number): ModelGroup => this.groups.find(({ members }) => members.includes(peer))!;
  rate = (members: number[]): number => this.seenBy(members).length / members.length / this.history.length;
  note = (members: number[]) => ({ centre: estimate(this.pair(members)), count: this.seenBy(members).length });

  /** Before every interaction; phase s begins after 2^s − 2 of them. */
  begin(): void {
    if (!Number.isInteger(Math.log2(this.history.length + 2))) return;
    this.checked = new Set();
    for (const group of this.groups) group.noted = this.note(group.members);
  }

  exceeds(value: number, limit: number): boolean {
    this.margin = Math.min(this.margin, Math.abs(value - limit));
    return value > limit;
  }

  observe(seen: Observation): void {
    this.history.push(seen);
    this.split(seen.peer);
    this.checked.add(seen.peer);
    while (this.merge());
  }

  split(peer: number): void {
    const group = this.groupOf(peer);
    if (group.members.length === 1) return;
    const { centre, count } = this.note([peer]);
    const often = 2 * this.frequency * f(this.history.length);
    const limit = this.factor * (f(count) + f(group.noted.count));
    const strays = this.exceeds(distance(centre, group.noted.centre), limit);
    const others = group.members.filter((other) => other !== peer);
    const tooOften = others.some((other) => this.exceeds(Math.abs(this.rate([peer]) - this.rate([other])), often));
    if (!strays && !tooOften) return;
    this.met[strays ? "strayed" : "tooOften"] += 1;
    group.members = others;
    this.groups.push({ members: [peer], noted: { centre, count } });
  }

  merge(): boolean {
    const ready = this.groups.filter(({ members }) => members.every((peer) => this.checked.has(peer)));
    const now = new Map(ready.map((group) => [group, this.note(group.members)]));
    for (const [a, one] of ready.entries()) {
      for (const other of ready.slice(a + 1)) {
        const [n, m] = [one, other].map((group) => now.get(group)!);
        if (this.exceeds(distance(n.centre, m.centre), (this.factor / 2) * (f(n.count) + f(m.count)))) continue;
        const apart = Math.abs(this.rate(one.members) - this.rate(other.members));
        if (this.exceeds(apart, this.frequency * f(this.history.length))) continue;
        this.met.joined += 1;
        // Nothing happened to either: only the frequencies' test grew milder.
        const served = this.history.at(-1)!.peer;
        this.met.ripened += [one, other].some(({ members }) => members.includes(served)) ? 0 : 1;
        one.members = [...one.members, ...other.members].sort((i, j) => i - j);
        one.noted = this.note(one.members);
        this.groups = this.groups.filter((group) => group !== other);
        return true;
      }
    }
    return false;
  }
}

/** x·θ̂ + ρ √(xᵀA⁻¹x). */
const scores = ({ gram, moment }: Pair, arms: Vector[], rho: number): number[] => {
  const a = inverse(gram);
  return arms.map((x) => dot(x, apply(a, moment)) + rho * Math.sqrt(dot(x, apply(a, x))));
};

describe("SCLUB", () => {
  it("splits, joins and chooses as the slow model does", () => {
    const cases = fc.record({
      seed: fc.nat(),
      peers: fc.integer({ min: 1, max: 7 }),
      factor: fc.double({ min: 0.1, max: 1, noNaN: true }),
      frequency: fc.constantFrom(0.1, 0.2, 0.4, 2),
      // How uneven the serving is, and how likely the next to be served is the same peer again.
      skew: fc.constantFrom(1, 2),
      stay: fc.constantFrom(0, 0.5, 0.9),
      // 1: all peers are alike, and every split is a mistake.
      kinds: fc.constantFrom(1, 2),
    });
    const met = { strayed: 0, tooOften: 0, joined: 0, ripened: 0 };
    const holds = fc.property(cases, ({ seed, peers, factor, frequency, skew, stay, kinds }) => {
      const random = Random.seeded(seed);
      const policy = sclub({
        radius: { kind: "practical", alpha: 0.4 },
        threshold: { kind: "practical", factor },
        frequency,
      });
      const centre = policy.createCentre(D, peers, null);
      const model = new Model(peers, factor, frequency);
      let peer = 0;
      for (let k = 0; k < 100; k++) {
        if (random.uniform() >= stay) peer = Math.floor(peers * random.uniform() ** skew);
        const arms = range(3).map(() => Array.from(random.normals(new Float64Array(D)), (x) => x / 5));
        model.begin();
        const rho = 0.4 * Math.sqrt(Math.log(k + 2));
        const expected = scores(model.pair(model.groupOf(peer).members), arms, rho);
        const best = argmax(expected);
        fc.pre(expected.every((score, arm) => arm === best || expected[best] - score > NEAR));
        expect(centre.choose(peer, armsFrom(arms, D), 1, undefined)).toBe(best);

        const arm = arms[best];
        const reward = arm[0] * (peer % kinds === 0 ? 3 : -3) + arm[1] + 0.3 * random.normal();
        centre.observe(peer, Float64Array.from(arm), 0, reward);
        model.observe({ peer, round: k, arm, reward });
        fc.pre(model.margin > NEAR);
        const together = (i: number) => range(peers).filter((j) => centre.pool(i) === centre.pool(j));
        for (const { members } of model.groups) {
          for (const i of members) expect(together(i)).toEqual(members);
          const { centre: sum, count } = model.note(members);
          expect(relativeGap(centre.estimate(members[0]), sum)).toBeLessThan(1e-9);
          expect(centre.evidence(members[0])).toBe(count);
        }
      }
      for (const key of ["strayed", "tooOften", "joined", "ripened"] as const) met[key] += model.met[key];
    });
    fc.assert(holds, { seed: 11, numRuns: 120, maxSkipsPerRun: 1 });
    expect(Math.min(met.strayed, met.tooOften, met.joined)).toBeGreaterThan(100);
    expect(met.ripened).toBeGreaterThan(4);
  });

  it("is solo where there is one peer", () => {
    for (const choice of ["optimistic", "thompson"] as const) {
      const world = smallWorld({ seed: 3, peers: 1, dimension: 3 });
      const [one, alone] = [sclub({ choice }), solo({ choice })].map((policy) =>
        createFleet({ policy, dimension: 3, peers: 1, random: Random.seeded(5) }),
      );
      for (let round = 1; round <= 80; round++) {
        one.round(world(round));
        alone.round(world(round));
        expect(one.choices).toEqual(alone.choices);
      }
    }
  });

  it("pools all in turn where nothing is far enough apart", () => {
    const threshold = { kind: "practical", factor: 1e6 } as const;
    const world = smallWorld({ seed: 4, peers: 6, dimension: 3, clusters: 3 });
    const [ours, clubs] = [sclub({ threshold }), club({ threshold })].map((policy) =>
      createFleet({ policy, dimension: 3, peers: 6, random: Random.seeded(5) }),
    );
    for (let round = 1; round <= 40; round++) {
      ours.round(world(round));
      clubs.round(world(round));
      expect(ours.choices).toEqual(clubs.choices);
      for (const i of range(6)) expect(ours.evidence(i)).toBe(6 * round);
    }
  });

  it("splits, joins again and ends with the clusters, at less regret than solo", () => {
    const alone = playTwoKinds(solo());
    const mine = playTwoKinds(sclub());
    expect(mine.pools[0]).toBeLessThan(3);
    expect(Math.max(...mine.pools)).toBeGreaterThan(4);
    expect(mine.pools.at(-1)).toBe(2);
    expect(mine.recovered).toBe(true);
    expect(mine.regret).toBeLessThan(0.8 * alone.regret);
  });

  it("refuses what it does not know", () => {
    const refused = (options: object) => () => parsePolicy("policy", { kind: "sclub", ...options });
    const theory = { kind: "theory", lambda: 0.1, noise: 0.1, delta: 0.1 };
    expect(refused({ threshold: theory })).toThrow(ConfigError);
    expect(refused({ threshold: theory })).toThrow("policy.threshold.kind");
    expect(refused({ frequency: -1 })).toThrow("policy.frequency");
    expect(refused({ items: 3 })).toThrow("policy.items");
  });
});
