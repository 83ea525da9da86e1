import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { chiSquare, chiSquareLimit, tally } from "../testing/chi-square.ts";
import { dot } from "../testing/dense.ts";
import { arranged, checkGrouping, fittedTo, partition } from "../testing/grouping.ts";
import { look, recordOf, type Seen } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { Evidence } from "./evidence.ts";
import { Guesses } from "./guesses.ts";
import { Metropolis } from "./metropolis.ts";
import type { PeerRecord } from "./record.ts";

const D = 3;
const THETAS = [
  [0.8, 0.2, -0.5],
  [0.3, 0.5, -0.2],
];

/** What peer i, of cluster i mod 2, has seen of arms that lie mostly in one direction: no guess is right then. */
function skewed(i: number): Seen {
  const seen = look(Random.seeded(i), THETAS[i % 2]!, 6, 0.4);
  const arms = seen.arms.map(([x, y, z]) => [2 * x!, y! / 2 + x!, z! / 3]);
  return {
    arms,
    rewards: arms.map((arm, k) => dot(arm, THETAS[i % 2]!) + (k % 2) / 3),
  };
}

/** Every way to put these into groups. */
function partitions<Item>([first, ...rest]: readonly Item[]): Item[][][] {
  if (first === undefined) return [[]];
  return partitions(rest).flatMap((parts) => [
    [[first], ...parts],
    ...parts.map((part, k) => [[first, ...part], ...parts.filter((_, j) => j !== k)]),
  ]);
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
const named = (parts: readonly PeerRecord[][]): string =>
  parts
    .map((part) =>
      part
        .map(({ origin }) => origin)
        .sort()
        .join(" "),
    )
    .sort()
    .join(" | ");

describe("guesses and the evidence", () => {
  const records = range(4).map((i) => recordOf(`${i}`, 1, skewed(i), D));
  const population = fittedTo(records, D);
  const alpha = 1.5;
  const all = partitions(records);

  it("draw partitions from their posterior, wrong though the guesses are", () => {
    const evidence = new Evidence(D);
    const { prior, noise } = population.even;
    const together = (part: readonly PeerRecord[]): number =>
      evidence.of(
        part[0]!.slot.map((_, k) => part.reduce((sum, { slot }) => sum + slot[k]!, 0)),
        prior,
        noise,
      );
    const weights = all.map((parts) =>
      parts.reduce((p, part) => p * alpha * factorial(part.length - 1) * Math.exp(together(part)), 1),
    );
    const metropolis = new Metropolis(D);
    const [grouping, entries] = arranged(all[0]!, population);
    const random = Random.seeded(5);
    grouping.alpha = alpha;
    const counts = tally(all.map(named), 6000, () => {
      // Draws that follow on each other are alike; those ten sweeps apart are not.
      for (let k = 0; k < 10; k++) metropolis.draw(grouping, entries, random);
      return partition(grouping).join(" | ");
    });
    const total = weights.reduce((a, b) => a + b);
    const seen = all.map((_, k) => k).filter((k) => weights[k]! / total > 0.002);
    expect(seen.length).toBeGreaterThan(10);
    const pick = <Item>(list: readonly Item[]): Item[] => seen.map((k) => list[k]!);
    expect(chiSquare(pick(counts), pick(weights))).toBeLessThan(chiSquareLimit(seen.length - 1));
    checkGrouping(grouping, entries);
  });

  it("keep sums and members right where there are many groups", () => {
    const many = range(30).map((i) => recordOf(`${i}`, 1, skewed(i), D));
    const [grouping, entries] = arranged(
      many.map((record) => [record]),
      fittedTo(many, D),
    );
    const metropolis = new Metropolis(D);
    const random = Random.seeded(6);
    for (let round = 0; round < 30; round++) {
      grouping.drawAlpha(many.length, random);
      metropolis.draw(grouping, entries, random);
      checkGrouping(grouping, entries);
    }
    expect(grouping.list.length).toBeLessThan(20);
  });

  it("leave sums alone that are not positive semidefinite", () => {
    const slot = new Float64Array(records[0]!.slot.length);
    slot[0] = slot[2] = slot[5] = -20;
    const poison = { ...records[0]!, origin: "x", slot };
    const [grouping, entries] = arranged([records, [poison]], population);
    // So that the guess is that everybody belongs to it.
    grouping.list[1]!.centre.set(entries[0]!.centre.subarray(0, D), grouping.list[1]!.from);
    const metropolis = new Metropolis(D);
    const random = Random.seeded(7);
    for (let round = 0; round < 50; round++) metropolis.draw(grouping, entries, random);
    expect(grouping.list.find(({ members }) => members.includes(entries[4]!))!.size).toBe(1);
  });
});

describe("a guess", () => {
  /** 40 observations of each direction, with an estimate of its own: S = sI. */
  const even = (i: number): Seen => {
    const random = Random.seeded(100 + i);
    const theta = THETAS[i % 2]!;
    const arms = range(40 * D).map((k) => range(D).map((d) => (d === k % D ? 0.3 : 0)));
    return {
      arms,
      rewards: arms.map((x) => dot(x, theta) + 0.4 * random.normal()),
    };
  };

  it("is the posterior itself where all have looked in all directions alike", () => {
    const records = range(6).map((i) => recordOf(`${i}`, 1, even(i), D));
    const population = fittedTo(records, D);
    const [grouping, entries] = arranged(
      [[records[0]!, records[2]!], [records[1]!], [records[3]!, records[4]!, records[5]!]],
      population,
    );
    grouping.alpha = 1.5;
    grouping.centre();
    const guesses = new Guesses(D);
    const { noise, ridge } = population.even;
    guesses.look(grouping.list, noise, ridge, grouping.alpha);
    for (const entry of entries) {
      const home = entry.groups[0]!;
      guesses.weigh(entry, grouping.list, home);
      const { count, groups, chances } = grouping.weigh(entry, home);
      for (let k = 0; k < count; k++) {
        expect(guesses.lnChance(grouping.list.indexOf(groups[k]!))).toBeCloseTo(Math.log(chances[k]!), 0.5);
      }
    }
  });
});
