import { describe, expect, it } from "vitest";
import { parseClusters } from "./parse.ts";
import { ClustersWorld } from "./world.ts";

const PEERS = 12;
const D = 5;
const base = { kind: "clusters", peers: PEERS, clusters: 3, dimension: D, arms: 7, noise: 0.5 };
const { noise: _noise, ...silent } = base;
const { arms: _arms, ...bare } = base;

const made = (given: object, seed = 1): ClustersWorld => new ClustersWorld(parseClusters("w", { ...given }), seed);
const peers = Array.from({ length: PEERS }, (_, peer) => peer);
const row = (values: Float64Array, k: number, d = D): number[] => Array.from(values.subarray(k * d, (k + 1) * d));
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const theta = (world: ClustersWorld, peer: number, d = D): number[] => row(world.thetas, world.clusters[peer]!, d);
function advanced(world: ClustersWorld, turns: number): ClustersWorld {
  for (let turn = 0; turn < turns; turn++) world.advance();
  return world;
}

describe("arms", () => {
  it("of a catalogue are its items, the same for all and in every turn", () => {
    const world = advanced(made({ ...bare, catalogue: { items: 9 } }), 1);
    const first = Array.from(world.arms(0).values);
    for (let turn = 0; turn < 3; turn++) {
      advanced(world, 1);
      for (const peer of peers) expect(Array.from(world.arms(peer).values)).toEqual(first);
    }
    expect([world.fixedMenu, Math.hypot(...row(world.arms(0).values, 8))]).toEqual([true, expect.closeTo(1, 12)]);
  });

  it("of a random menu are different items of the catalogue", () => {
    const whole = advanced(made({ ...bare, catalogue: { items: 9 } }), 1);
    const items = Array.from({ length: 9 }, (_, item) => row(whole.arms(0).values, item).join());
    const world = made({ ...bare, catalogue: { items: 9, show: 4 } });
    const seen = new Set<string>();
    for (let turn = 0; turn < 20; turn++) {
      advanced(world, 1);
      for (const peer of peers) {
        const shown = Array.from({ length: 4 }, (_, arm) => row(world.arms(peer).values, arm).join());
        expect(new Set(shown).size).toBe(4);
        for (const item of shown) seen.add(item);
      }
    }
    expect([...seen].sort()).toEqual([...items].sort());
    expect(world.fixedMenu).toBe(false);
  });

  it("have the constant feature last, within the unit ball, and pay by the others at full length", () => {
    const world = advanced(made({ ...base, constant: 0.6, noise: 0 }), 1);
    for (const peer of peers) {
      const x = row(world.arms(peer).values, 2);
      expect(x[D - 1]).toBe(0.6);
      expect(Math.hypot(...x)).toBeCloseTo(1, 12);
      expect(world.pay(peer, 2)).toBeCloseTo(dot(theta(world, peer, D - 1), x.slice(0, -1)) / 0.8, 12);
    }
  });

  it("that are correlated lean towards one direction, by that much", () => {
    const world = made({ ...base, dimension: 20, correlated: 0.8 });
    let sum = 0;
    for (let turn = 0; turn < 50; turn++) {
      advanced(world, 1);
      for (const peer of peers) sum += dot(row(world.arms(peer).values, 0, 20), row(world.arms(peer).values, 1, 20));
    }
    // x·x' ≈ ρ² of two arms.
    expect(sum / (50 * PEERS)).toBeCloseTo(0.64, 1);
  });
});

describe("tastes", () => {
  it("of rank r span r dimensions", () => {
    const { thetas } = made({ ...base, clusters: 12, rank: 2 });
    // Any three vectors of a plane have a vanishing Gram determinant.
    const [a, b, c] = [row(thetas, 0), row(thetas, 1), row(thetas, 2)];
    const [ab, ac, bc] = [dot(a!, b!), dot(a!, c!), dot(b!, c!)];
    expect(1 + 2 * ab * ac * bc - ab * ab - ac * ac - bc * bc).toBeCloseTo(0, 10);
    expect(Math.hypot(...a!)).toBeCloseTo(1, 12);
  });

  it("are of the relevant features alone", () => {
    const { thetas } = made({ ...base, relevant: 2 });
    for (const k of [0, 1, 2]) {
      expect(row(thetas, k).slice(2)).toEqual([0, 0, 0]);
      expect(Math.hypot(...row(thetas, k))).toBeCloseTo(1, 12);
    }
  });

  it("differ within a cluster by the spread", () => {
    const catalogue = { items: D, vectors: "one-hot" };
    const world = advanced(made({ ...bare, noise: 0, spread: 0.4, catalogue }), 1);
    const own = (peer: number): number[] => Array.from({ length: D }, (_, arm) => world.mean(peer, arm));
    for (const peer of peers) {
      const off = own(peer).map((value, i) => value - theta(world, peer)[i]!);
      expect(Math.hypot(...off)).toBeCloseTo(0.4, 12);
    }
    expect(own(0)).not.toEqual(own(3));
  });

  it("move to another cluster with the given chance, once", () => {
    const world = advanced(made({ ...base, peers: 900, jump: { after: 2, share: 0.3 } }), 2);
    const before = world.clusters.slice();
    advanced(world, 1);
    const after = world.clusters.slice();
    const moved = before.filter((cluster, peer) => cluster !== after[peer]).length;
    expect(moved / 900).toBeGreaterThan(0.24);
    expect(moved / 900).toBeLessThan(0.36);
    advanced(world, 3);
    expect(world.clusters).toEqual(after);
    const best = advanced(made({ ...base, noise: 0, jump: { after: 2, share: 1 } }), 3);
    expect(best.pay(5, 1)).toBeCloseTo(dot(theta(best, 5), row(best.arms(5).values, 1)), 12);
  });

  it("flip when the round is over, or the best item changes", () => {
    const world = advanced(made({ ...base, jump: { after: 2, flip: true } }), 2);
    const before = Array.from(world.thetas);
    advanced(world, 1);
    expect(Array.from(world.thetas)).toEqual(before.map((value) => -value));
    const best = {
      ...bare,
      catalogue: { items: D, vectors: "one-hot" },
      tastes: { kind: "best", high: 0.6, low: 0.2 },
    };
    const items = advanced(made({ ...best, jump: { after: 2, flip: true } }), 2);
    const bestOf = (k: number): number => row(items.thetas, k).indexOf(0.6);
    const was = [0, 1, 2].map(bestOf);
    expect(row(items.thetas, 0).sort()).toEqual([0.2, 0.2, 0.2, 0.2, 0.6]);
    advanced(items, 1);
    [0, 1, 2].map(bestOf).forEach((item, k) => {
      expect(item).toBeGreaterThanOrEqual(0);
      expect(item).not.toBe(was[k]);
    });
  });
});

describe("rewards", () => {
  it.each([
    [{ link: "linear", base: 0.3, slope: 0.6 }, (score: number) => Math.min(1, Math.max(0, 0.3 + 0.6 * score))],
    [{ link: "logistic", offset: -1, slope: 4 }, (score: number) => 1 / (1 + Math.exp(1 - 4 * score))],
  ])("that are clicks come with the chance the link gives: %j", (link, chance) => {
    const world = made({ ...silent, rewards: { kind: "clicks", ...link } });
    let [clicks, expected, n] = [0, 0, 0];
    for (let turn = 0; turn < 100; turn++) {
      advanced(world, 1);
      for (const peer of peers) {
        const mean = chance(dot(theta(world, peer), row(world.arms(peer).values, 0)));
        expect(world.mean(peer, 0)).toBeCloseTo(mean, 12);
        expect([0, 1]).toContain(world.pay(peer, 0));
        clicks += world.pay(peer, 0);
        expected += mean;
        n += 1;
      }
    }
    expect(Math.abs(clicks - expected)).toBeLessThan(4 * Math.sqrt(n / 4));
  });

  it("have each peer's own noise", () => {
    const world = made({ ...silent, noises: [0, 2] });
    let squares = 0;
    for (let turn = 0; turn < 100; turn++) {
      advanced(world, 1);
      expect(world.pay(4, 0)).toBe(world.mean(4, 0));
      squares += (world.pay(5, 0) - world.mean(5, 0)) ** 2;
    }
    expect(Math.sqrt(squares / 100)).toBeGreaterThan(1.4);
  });
});

describe("time", () => {
  it("has as many turns in a round as it says, each with arms of its own", () => {
    const world = made({ ...base, turns: 3, jump: { after: 1, flip: true } });
    const before = Array.from(world.thetas);
    const turns = Array.from({ length: 6 }, () => {
      advanced(world, 1);
      return [world.lastTurn, world.thetas[0] === before[0], world.arms(0).values[0]] as const;
    });
    expect(turns.map(([last]) => last)).toEqual([false, false, true, false, false, true]);
    expect(turns.map(([, same]) => same)).toEqual([true, true, true, false, false, false]);
    expect(new Set(turns.map(([, , value]) => value)).size).toBe(6);
  });

  it("is one of few who act often and many who hardly do", () => {
    const world = made({ ...base, activity: { kind: "power", least: 0.1 } });
    const acted = peers.map(() => 0);
    for (let turn = 0; turn < 1000; turn++) {
      advanced(world, 1);
      for (const peer of peers) acted[peer]! += world.acts(peer) ? 1 : 0;
    }
    const rates = acted.map((count) => count / 1000).sort((a, b) => b - a);
    rates.forEach((rate, k) => {
      expect(Math.abs(rate - Math.max(0.1, 1 / (k + 1)))).toBeLessThan(0.06);
    });
    expect(acted[0]).not.toBe(1000);
  });

  it("has everybody there while idle, unless they are away", () => {
    const activity = { kind: "power", least: 0.1 };
    const [usual, online, away] = [activity, { ...activity, idle: "online" }, { ...activity, idle: "away" }].map(
      (given) => made({ ...base, activity: given }),
    );
    let idle = 0;
    for (let turn = 0; turn < 50; turn++) {
      for (const world of [usual!, online!, away!]) advanced(world, 1);
      for (const peer of peers) {
        idle += usual!.acts(peer) ? 0 : 1;
        // The same peers act, whatever the others do meanwhile.
        expect([online!, away!].map((world) => world.acts(peer))).toEqual([usual!.acts(peer), usual!.acts(peer)]);
        expect([usual!, online!, away!].map((world) => world.present(peer))).toEqual([true, true, usual!.acts(peer)]);
      }
    }
    expect(idle).toBeGreaterThan(100);
    // Whoever first acts late is a newcomer then, and nobody where all are online.
    expect([usual!.newcomer!(0), away!.newcomer]).toEqual([false, undefined]);
  });

  it("brings every so-many-th peer late, and takes away others for good", () => {
    const world = made({ ...base, newcomers: { every: 4, after: 2 }, leavers: { every: 3, after: 3 } });
    const there = Array.from({ length: 4 }, () => {
      advanced(world, 1);
      return peers.filter((peer) => world.present(peer));
    });
    const [third, fourth] = [
      [2, 5, 8, 11],
      [3, 7, 11],
    ];
    expect(there[1]).toEqual(peers.filter((peer) => !fourth!.includes(peer)));
    expect(there[2]).toEqual(peers);
    expect(there[3]).toEqual(peers.filter((peer) => !third!.includes(peer)));
    expect(peers.filter((peer) => world.newcomer!(peer))).toEqual(fourth);
  });

  it("gives a place to a new visitor after so many rounds, on average", () => {
    const world = advanced(made({ ...base, visits: { rounds: 20 } }), 1);
    expect(peers.map((peer) => world.visitor(peer))).toEqual(peers.map(() => 0));
    advanced(world, 2000);
    const visits = peers.reduce((sum, peer) => sum + world.visitor(peer), 0);
    expect(visits / PEERS).toBeCloseTo(100, -1.1);
  });
});
