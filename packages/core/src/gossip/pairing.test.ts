import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { chiSquare, chiSquareLimit, tally } from "../testing/chi-square.ts";
import { range } from "../testing/play.ts";
import { Pairer } from "./pairing.ts";

type Near = (peer: number, other: number) => boolean;

const everyone: Near = () => true;

/** A symmetric relation in which each pair is near with the given probability. */
function randomNear(random: Random, peers: number, probability: number): Near {
  const near = range(peers).map(() => range(peers).map(() => random.uniform() < probability));
  return (a, b) => near[Math.min(a, b)][Math.max(a, b)];
}

/** The map that a pairing draws, as text; −1 stands where it wrote nothing. */
function drawn(
  pairing: "permutation" | "matching" | "neighbours",
  peers: number,
  random: Random,
  near = everyone,
): string {
  const partners = new Int32Array(peers).fill(-1);
  new Pairer(peers)[pairing](partners, random, near);
  return partners.join();
}

function permutations(items: number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

/** Pairs, and as few left alone as can be. */
const matchings = (peers: number): number[][] =>
  permutations(range(peers)).filter(
    (map) => map.every((j, i) => map[j] === i) && map.filter((j, i) => i === j).length === peers % 2,
  );

describe("partner maps", () => {
  it.each([1, 2, 3, 4])("permutation: each of V = %i as often", (peers) => {
    const random = Random.seeded(21);
    const all = permutations(range(peers)).map((map) => map.join());
    const counts = tally(all, 2000 * all.length, () => drawn("permutation", peers, random));
    if (peers > 1) expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(all.length - 1));
  });

  it.each([1, 2, 3, 4, 5, 6])("matching: each of V = %i as often", (peers) => {
    const random = Random.seeded(22);
    const all = matchings(peers).map((map) => map.join());
    const counts = tally(all, 2000 * all.length, () => drawn("matching", peers, random));
    if (all.length > 1) expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(all.length - 1));
  });

  it.each([3, 4, 5])("neighbours: where all V = %i are near, each matching as often", (peers) => {
    const random = Random.seeded(23);
    const all = matchings(peers).map((map) => map.join());
    const counts = tally(all, 2000 * all.length, () => drawn("neighbours", peers, random));
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(all.length - 1));
  });

  it("neighbours: pairs only those near, both ways, and leaves no two near peers alone", () => {
    const random = Random.seeded(24);
    let alone = 0;
    for (let trial = 0; trial < 1500; trial++) {
      const peers = 1 + random.below(24);
      const near = randomNear(random, peers, random.uniform() ** 2);
      const map = drawn("neighbours", peers, random, near).split(",").map(Number);
      const left = range(peers).filter((i) => map[i] === i);
      for (const i of range(peers)) {
        expect(map[map[i]]).toBe(i);
        expect(map[i] === i || near(i, map[i])).toBe(true);
      }
      expect(left.some((i) => left.some((j) => i !== j && near(i, j)))).toBe(false);
      alone += left.length;
    }
    expect(alone).toBeGreaterThan(1500);
  });

  it("neighbours: in random order each picks uniformly among the free ones near", () => {
    // A star: the centre is taken by whichever leaf comes first, or picks one of them itself; all alike by symmetry.
    // A path 0–1–2–3: first comes an end (½), and the other two pair; or a middle one, which takes its end or the other
    // middle one (½ each). So 01|23 with probability ¾ and 12 alone with ¼.
    const random = Random.seeded(25);
    const path: Near = (a, b) => Math.abs(a - b) === 1;
    const counts = tally(["1,0,3,2", "0,2,1,3"], 40_000, () => drawn("neighbours", 4, random, path));
    expect(chiSquare(counts, [3, 1])).toBeLessThan(chiSquareLimit(1));
    const star: Near = (a, b) => a === 0 || b === 0;
    const leaves = tally(["1,0,2,3", "2,1,0,3", "3,1,2,0"], 30_000, () => drawn("neighbours", 4, random, star));
    expect(chiSquare(leaves)).toBeLessThan(chiSquareLimit(2));
  });

  it("neighbours: uniform too where guessing would hardly ever find anyone", () => {
    // Peer 0 is near two of 60, the others near nobody: nearly always found by the pass over all.
    const random = Random.seeded(26);
    const near: Near = (a, b) => Math.min(a, b) === 0 && [20, 41].includes(Math.max(a, b));
    const counts = tally(["20", "41"], 10_000, () => drawn("neighbours", 60, random, near).split(",")[0]);
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(1));
  });
});

describe("calls", () => {
  const called = (peers: number, random: Random, free: (peer: number) => boolean, wish: (peer: number) => number) => {
    const met: [number, number][] = [];
    new Pairer(peers).calls(random, free, wish, (a, b) => met.push([a, b]));
    return met;
  };
  const all = (): boolean => true;
  const nobody = (): number => -1;

  it("everybody calls once, somebody else; one alone calls nobody", () => {
    const random = Random.seeded(31);
    expect(called(1, random, all, nobody)).toEqual([]);
    for (let peers = 2; peers <= 9; peers++) {
      const met = called(peers, random, all, nobody);
      expect(met.map(([a]) => a).sort()).toEqual(range(peers));
      expect(met.every(([a, b]) => a !== b && b >= 0 && b < peers)).toBe(true);
    }
  });

  it("in an order, and of others, each as often", () => {
    const random = Random.seeded(32);
    const firsts = tally(["0", "1", "2", "3"], 8000, () => String(called(4, random, all, nobody)[0]![0]));
    expect(chiSquare(firsts)).toBeLessThan(chiSquareLimit(3));
    const of2 = (): string => String(called(4, random, all, nobody).find(([a]) => a === 2)![1]);
    expect(chiSquare(tally(["0", "1", "3"], 8000, of2))).toBeLessThan(chiSquareLimit(2));
  });

  it("a wish is heard, however many have it, unless it is oneself or not there", () => {
    const random = Random.seeded(33);
    const wish = (peer: number): number => [0, 0, 0, 4, 1][peer]!;
    for (let draw = 0; draw < 200; draw++) {
      const met = new Map(called(5, random, (peer) => peer !== 4, wish));
      expect([...met.keys()].sort()).toEqual([0, 1, 2, 3]);
      expect([met.get(1), met.get(2)]).toEqual([0, 0]);
      expect([1, 2, 3]).toContain(met.get(0));
      expect([0, 1, 2]).toContain(met.get(3));
    }
  });

  it("whoever calls more than once in a round calls again when all have called, and may wish for another", () => {
    const met: [number, number][] = [];
    const wish = (peer: number, before: number): number => (peer + 1 + before) % 4;
    const times = (peer: number): number => (peer === 3 ? 1 : 2);
    new Pairer(4).calls(Random.seeded(34), all, wish, (a, b) => met.push([a, b]), times);
    const sorted = (part: [number, number][]): [number, number][] => [...part].sort(([a], [b]) => a - b);
    expect(sorted(met.slice(0, 4))).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ]);
    expect(sorted(met.slice(4))).toEqual([
      [0, 2],
      [1, 3],
      [2, 0],
    ]);
  });
});

describe("asynchronous meetings", () => {
  const meetings = (peers: number, random: Random, near: Near): [number, number][] => {
    const met: [number, number][] = [];
    new Pairer(peers).asynchronous(random, near, (a, b) => met.push([a, b]));
    return met;
  };

  it("number ⌊V/2⌋, each of two different peers that are near", () => {
    const random = Random.seeded(27);
    for (let peers = 1; peers <= 9; peers++) {
      expect(meetings(peers, random, everyone).length).toBe(Math.floor(peers / 2));
      const near = randomNear(random, peers, 0.4);
      for (const [a, b] of meetings(peers, random, near)) expect(a !== b && near(a, b)).toBe(true);
    }
    expect(meetings(8, random, () => false)).toEqual([]);
  });

  it("are uniform: any peer, and any other of its neighbourhood", () => {
    const random = Random.seeded(28);
    const pairs = permutations(range(4)).map(([a, b]) => `${a},${b}`);
    const all = [...new Set(pairs)];
    const counts = tally(all, 12_000, () => meetings(4, random, everyone)[1].join());
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(all.length - 1));
  });

  it("are uniform too where guessing would hardly ever find anyone", () => {
    // Peer 0 is near two of 60, the others near nobody: three times in four found by the pass over all.
    const random = Random.seeded(30);
    const near: Near = (a, b) => a === 0 && [20, 41].includes(b);
    const met = range(1500).flatMap(() => meetings(60, random, near).map(([, other]) => other));
    const counts = [20, 41].map((other) => met.filter((found) => found === other).length);
    expect(met.length).toBeGreaterThan(600);
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(1));
  });

  it("see what earlier meetings of the round changed", () => {
    // After each meeting its two peers are pruned from one another; with V = 2 a second one could never happen.
    const random = Random.seeded(29);
    const apart = new Set<string>();
    const near: Near = (a, b) => !apart.has([a, b].sort().join());
    for (let round = 0; round < 40; round++) {
      new Pairer(6).asynchronous(random, near, (a, b) => {
        expect(near(a, b)).toBe(true);
        apart.add([a, b].sort().join());
      });
    }
    expect(apart.size).toBe(15);
  });
});
