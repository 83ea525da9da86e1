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
import { cofiba } from "./cofiba.ts";

const D = 2;
const NEAR = 1e-9;
const edge = (a: number, b: number): string => `${Math.min(a, b)}-${Math.max(a, b)}`;

/** All of `nodes` that `from` reaches over edges: neighbours are added until none is new. */
function reach(from: number, nodes: number[], joined: (a: number, b: number) => boolean): number[] {
  let reached = [from];
  for (;;) {
    const wider = nodes.filter((b) => reached.some((a) => a === b || joined(a, b)));
    if (wider.length === reached.length) return wider;
    reached = wider;
  }
}

/** What is known of the peers with respect to the items that share it. */
interface Book {
  cut: Set<string>;
  chosen: number;
}

/** COFIBA from the paper and the choices the source names, everything recomputed from the whole history. */
class Model {
  readonly history: Observation[] = [];
  readonly items: { vector: Vector; book: Book }[] = [];
  readonly itemEdges = new Set<string>();
  busiest: Book = { cut: new Set(), chosen: 0 };
  /** The closest that any test came to its limit. */
  margin = Infinity;
  readonly met = { peersParted: 0, itemsParted: 0, lateItems: 0, nearestItems: 0 };

  constructor(
    readonly peers: number,
    readonly limit: number,
    readonly factor: number,
  ) {}

  pair = (members: number[]): Pair => pairOf(withRidge(this.history.filter(({ peer }) => members.includes(peer))), D);

  part = (peer: number, { cut }: Book): number[] => reach(peer, range(this.peers), (a, b) => !cut.has(edge(a, b)));

  books = (): Set<Book> => new Set(this.items.map(({ book }) => book));

  itemOf(x: Vector): number {
    const gaps = this.items.map(({ vector }) => distance(x, vector));
    const nearest = gaps.indexOf(Math.min(...gaps));
    const known = gaps[nearest] === 0;
    if (known || this.items.length === this.limit) {
      this.met.nearestItems += known ? 0 : 1;
      return nearest;
    }
    const book = this.items[nearest]?.book ?? this.busiest;
    this.met.lateItems += this.books().size > 1 ? 1 : 0;
    for (const [other, item] of this.items.entries()) {
      if (item.book === book) this.itemEdges.add(edge(other, this.items.length));
    }
    return this.items.push({ vector: x, book }) - 1;
  }

  scores(peer: number, arms: Vector[], alpha: number): number[] {
    return arms.map((x) => {
      const { gram, moment } = this.pair(this.part(peer, this.items[this.itemOf(x)].book));
      const a = inverse(gram);
      const rho = alpha * Math.sqrt(Math.log(this.history.length + 2));
      return dot(x, apply(a, moment)) + rho * Math.sqrt(dot(x, apply(a, x)));
    });
  }

  /** N(y) of a peer, as text. */
  near(peer: number, y: Vector): string {
    const view = range(this.peers).map((j) => {
      const { gram, moment } = this.pair([j]);
      const a = inverse(gram);
      return { mean: dot(y, apply(a, moment)), width: Math.sqrt(dot(y, apply(a, y))) };
    });
    const scale = this.factor * Math.sqrt(Math.log(this.history.length + 1));
    const alike = view.map(({ mean, width }, j) => {
      const room = scale * (width + view[peer].width) - Math.abs(mean - view[peer].mean);
      if (j !== peer) this.margin = Math.min(this.margin, Math.abs(room));
      return room >= 0 || j === peer;
    });
    return range(this.peers)
      .filter((j) => alike[j])
      .join();
  }

  observe(seen: Observation): void {
    const item = this.itemOf(seen.arm);
    const { book } = this.items[item];
    this.history.push(seen);
    book.chosen += 1;
    if (book.chosen > this.busiest.chosen) this.busiest = book;
    const near = this.near(seen.peer, seen.arm);
    this.partItems(item, near, seen.peer);
    this.partPeers(this.items[item].book, near, seen.peer);
  }

  partPeers(book: Book, near: string, peer: number): void {
    const before = this.part(peer, book).length;
    for (const j of range(this.peers)) if (!near.split(",").includes(`${j}`)) book.cut.add(edge(peer, j));
    this.met.peersParted += this.part(peer, book).length < before ? 1 : 0;
  }

  partItems(item: number, near: string, peer: number): void {
    const { book } = this.items[item];
    const group = [...this.items.keys()].filter((other) => this.items[other].book === book);
    for (const other of group) {
      if (!this.itemEdges.has(edge(item, other))) continue;
      if (this.near(peer, this.items[other].vector) !== near) this.itemEdges.delete(edge(item, other));
    }
    const parts = group.map((one) => reach(one, group, (a, b) => this.itemEdges.has(edge(a, b))));
    const largest = parts[parts.map(({ length }) => length).indexOf(Math.max(...parts.map(({ length }) => length)))];
    for (const one of group) {
      if (largest.includes(one) || this.items[one].book !== book) continue;
      this.met.itemsParted += 1;
      const fresh: Book = { cut: new Set(), chosen: 0 };
      for (const other of parts[group.indexOf(one)]) this.items[other].book = fresh;
    }
  }
}

/** Four kinds of peers; on an item along an axis two kinds are alike. */
const pay = (peer: number, [x, y]: Vector): number => 3 * (x * (peer % 2 ? 1 : -1) + y * (peer % 4 > 1 ? 1 : -1));

describe("COFIBA", () => {
  it("parts peers and items and chooses as the slow model does", () => {
    const cases = fc.record({
      seed: fc.nat(),
      peers: fc.integer({ min: 1, max: 7 }),
      limit: fc.integer({ min: 1, max: 10 }),
      // 0: every arm is a fresh vector.
      catalogue: fc.constantFrom(0, 4, 8, 12),
      factor: fc.double({ min: 0.1, max: 0.8, noNaN: true }),
    });
    const met = { peersParted: 0, itemsParted: 0, lateItems: 0, nearestItems: 0 };
    const holds = fc.property(cases, ({ seed, peers, limit, catalogue, factor }) => {
      const random = Random.seeded(seed);
      const vector = () => Array.from(random.normals(new Float64Array(D)), (x) => x / 4);
      const vectors = range(catalogue).map(vector);
      const policy = cofiba({
        radius: { kind: "practical", alpha: 0.4 },
        threshold: { kind: "practical", factor },
        items: limit,
      });
      const centre = policy.createCentre(D, peers, null);
      const model = new Model(peers, limit, factor);
      for (let k = 0; k < 50; k++) {
        const peer = random.below(peers);
        const arms = range(3).map(() => (catalogue === 0 ? vector() : vectors[random.below(catalogue)]));
        const expected = model.scores(peer, arms, 0.4);
        const best = argmax(expected);
        fc.pre(expected.every((score, arm) => arms[arm] === arms[best] || expected[best] - score > NEAR));
        expect(centre.choose(peer, armsFrom(arms, D), 1, undefined)).toBe(best);

        const arm = arms[best];
        const reward = pay(peer, arm) + 0.2 * random.normal();
        centre.observe(peer, Float64Array.from(arm), 0, reward);
        model.observe({ peer, round: k, arm, reward });
        fc.pre(model.margin > NEAR);
        for (const i of range(peers)) {
          const members = model.part(i, model.busiest);
          expect(range(peers).filter((j) => centre.pool(i) === centre.pool(j))).toEqual(members);
          if (i !== members[0]) continue;
          expect(relativeGap(centre.estimate(i), estimate(model.pair(members)))).toBeLessThan(1e-9);
          expect(centre.evidence(i)).toBe(model.history.filter((seen) => members.includes(seen.peer)).length);
        }
      }
      for (const key of Object.keys(met) as (keyof typeof met)[]) met[key] += model.met[key];
    });
    fc.assert(holds, { seed: 12, numRuns: 80, maxSkipsPerRun: 1 });
    for (const [what, times] of Object.entries(met)) expect(times, what).toBeGreaterThan(20);
  });

  it("has two peers in one pool for one item and apart for another", () => {
    const random = Random.seeded(9);
    const centre = cofiba({ items: 2, threshold: { kind: "practical", factor: 1 } }).createCentre(D, 2, null);
    const alike = Float64Array.of(0, 1);
    const apart = Float64Array.of(1, 0);
    const arms = armsFrom([alike, apart], D);
    /** Both peers are paid the same for the first item, the opposite for the second. */
    const observe = (peer: number, x: Float64Array) =>
      centre.observe(peer, x, 0, x[1] + x[0] * (peer === 0 ? 1 : -1) + 0.1 * random.normal());
    centre.choose(0, arms, 1, undefined);
    for (let k = 0; k < 200; k++) observe(k % 2, alike);
    expect(centre.pool(0)).toBe(centre.pool(1));
    for (let k = 0; k < 40; k++) observe(k % 2, apart);
    // What is reported is the item chosen most often.
    expect(centre.pool(0)).toBe(centre.pool(1));
    for (let k = 0; k < 200; k++) observe(k % 2, apart);
    expect(centre.pool(0)).not.toBe(centre.pool(1));
    // The first item is still seen by all, the second by each peer for itself.
    const only = (x: Float64Array, worth: number) => armsFrom([x, [x[0] * worth, x[1] * worth]], D);
    expect([0, 1].map((peer) => centre.choose(peer, only(alike, 0.5), 1, undefined))).toEqual([0, 0]);
    expect([0, 1].map((peer) => centre.choose(peer, only(apart, 0.5), 1, undefined))).toEqual([0, 1]);
  });

  it("is solo where there is one peer", () => {
    for (const choice of ["optimistic", "thompson"] as const) {
      const world = smallWorld({ seed: 3, peers: 1, dimension: 3 });
      const [one, alone] = [cofiba({ choice, items: 5 }), solo({ choice })].map((policy) =>
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
    for (const choice of ["optimistic", "thompson"] as const) {
      const [ours, clubs] = [cofiba({ threshold, choice, items: 4 }), club({ threshold, choice })].map((policy) =>
        createFleet({ policy, dimension: 3, peers: 6, random: Random.seeded(5) }),
      );
      for (let round = 1; round <= 40; round++) {
        ours.round(world(round));
        clubs.round(world(round));
        expect(ours.choices).toEqual(clubs.choices);
        for (const i of range(6)) expect(ours.evidence(i)).toBe(6 * round);
      }
    }
  });

  it("finds the clusters where items are not told apart, at less regret than solo", () => {
    const mine = playTwoKinds(cofiba());
    const alone = playTwoKinds(solo());
    expect(mine.recovered).toBe(true);
    expect(mine.regret).toBeLessThan(0.5 * alone.regret);
  });

  it("refuses what it does not know", () => {
    const refused = (options: object) => () => parsePolicy("policy", { kind: "cofiba", ...options });
    const theory = { kind: "theory", lambda: 0.1, noise: 0.1, delta: 0.1 };
    expect(refused({ threshold: theory })).toThrow(ConfigError);
    expect(refused({ threshold: theory })).toThrow("policy.threshold.kind");
    expect(refused({ items: 0 })).toThrow("policy.items");
    expect(refused({ items: 1025 })).toThrow("policy.items");
    expect(refused({ frequency: 1 })).toThrow("policy.frequency");
    const centre = cofiba({ choice: "thompson" }).createCentre(D, 1, null);
    expect(() => centre.choose(0, armsFrom([[1, 0]], D), 1, undefined)).toThrow(ConfigError);
  });
});
