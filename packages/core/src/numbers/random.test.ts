import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { chiSquare, chiSquareLimit, tally } from "../testing/chi-square.ts";
import { Random } from "./random.ts";

const take = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw);
const words = (random: Random, count = 6): number[] => take(count, () => random.uint32());

describe("a stream", () => {
  // Every published number rests on these. If they change, every experiment has to be run again.
  it.each<[string, Random, number[]]>([
    ["seed 0", Random.seeded(0), [2636913342, 278075465, 2955707252, 4068006312]],
    ["seed 1", Random.seeded(1), [890618864, 852027185, 2227298165, 2420799436]],
    ["the largest seed", Random.seeded(2 ** 53 - 1), [2915008055, 1848804824, 498259145, 3903759812]],
    ["a text", Random.seeded(1).fork("arms"), [257887532, 3374146626, 2052807938, 1423755617]],
    ["an index", Random.seeded(1).fork(7), [4016870546, 3096071025, 3204804038, 2935521086]],
    ["a path", Random.seeded(1).fork("choice").fork(3).fork(2), [361226335, 976135149, 2527925896, 132882703]],
  ])("stays what it was: %s", (_, random, pinned) => {
    expect(words(random, 4)).toEqual(pinned);
  });

  it("stays what it was: what is made of it", () => {
    const drawn = <T>(draw: (random: Random) => T): T[] => {
      const random = Random.seeded(1);
      return take(4, () => draw(random));
    };
    expect(drawn((random) => random.uniform()).slice(0, 3)).toEqual([
      0.20736336110813935, 0.5185832646760068, 0.17253072042232098,
    ]);
    expect(drawn((random) => random.normal())).toEqual([
      -0.6771063094245022, -0.07942160859266113, -0.3739128404491119, 0.4888310355759166,
    ]);
    expect(drawn((random) => random.below(10))).toEqual([4, 5, 5, 6]);
    expect(Random.seeded(1).shuffle([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([4, 7, 3, 6, 1, 5, 2, 0]);
  });

  it("is the same for the same seed, and begins again when rewound", () => {
    const random = Random.seeded(42);
    const first = take(5, () => random.normal());
    random.normal(); // one of a pair is still to come, and must be forgotten
    random.rewind();
    expect(take(5, () => random.normal())).toEqual(first);
    const again = Random.seeded(42);
    expect(take(5, () => again.normal())).toEqual(first);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])("has no seed %d and no label like it", (seed) => {
    expect(() => Random.seeded(seed)).toThrow(ConfigError);
    expect(() => Random.seeded(0).fork(seed)).toThrow(ConfigError);
  });
});

describe("a fork", () => {
  it("does not depend on what the parent drew", () => {
    const parent = Random.seeded(3);
    const before = words(parent.fork("x"));
    words(parent, 1000);
    expect(words(parent.fork("x"))).toEqual(before);
  });

  it("leaves the parent where it was", () => {
    const parent = Random.seeded(3);
    words(parent, 2);
    parent.fork("x").uint32();
    expect(words(parent, 4)).toEqual(words(Random.seeded(3)).slice(2));
  });

  it("is another stream for every label, text or number, and every way there", () => {
    const root = Random.seeded(5);
    const labels = ["", "1", "2", "ab", "ba", "a", "b", 0, 1, 2, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
    const children = labels.map((label) => root.fork(label));
    const grandchildren = [
      root.fork("a").fork("b"),
      root.fork("b").fork("a"),
      root.fork(1).fork(2),
      root.fork(2).fork(1),
    ];
    const all = [root, Random.seeded(6), ...children, ...grandchildren].map((random) => words(random, 2).join());
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(["x", 9])("%s into another stream is that fork, at its beginning", (label) => {
    const into = Random.seeded(99);
    into.normal();
    const root = Random.seeded(4);
    expect(root.forkInto(into, label)).toBe(into);
    const fork = root.fork(label);
    expect(take(5, () => into.normal())).toEqual(take(5, () => fork.normal()));
    expect(words(into.fork(1))).toEqual(words(fork.fork(1)));
  });

  it("of neighbouring labels is uncorrelated with the others", () => {
    // The first draw of each of many forks: what a world with one stream for each peer and round looks at.
    const draws = 60_000;
    const root = Random.seeded(8);
    const cell = (x: number): number => Math.floor(x * 8);
    const counts = tally(
      take(64, () => 0).map((_, k) => `${k >> 3},${k & 7}`),
      draws,
      (() => {
        let label = 0;
        return () => {
          label += 1;
          return `${cell(root.fork(label).uniform())},${cell(root.fork(label + 1).uniform())}`;
        };
      })(),
    );
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(63));
  });
});

describe("draws", () => {
  const COUNT = 200_000;

  it("uniform: moments, range and fit (Kolmogorov and Smirnov)", () => {
    const random = Random.seeded(11);
    const draws = take(COUNT, () => random.uniform()).sort((a, b) => a - b);
    expect(draws[0]).toBeGreaterThanOrEqual(0);
    expect(draws[COUNT - 1]).toBeLessThan(1);
    // P(√n D > 2.7) < 1e-6.
    const gap = draws.reduce((most, x, k) => Math.max(most, x - k / COUNT, (k + 1) / COUNT - x), 0);
    expect(gap * Math.sqrt(COUNT)).toBeLessThan(2.7);
    expect(Math.abs(draws.reduce((sum, x) => sum + x, 0) / COUNT - 0.5)).toBeLessThan(5 / Math.sqrt(12 * COUNT));
  });

  it("uniform: fills the last of its 53 bits", () => {
    const random = Random.seeded(12);
    const odd = take(1000, () => (random.uniform() * 2 ** 53) % 2).filter((bit) => bit === 1).length;
    expect(Math.abs(odd - 500)).toBeLessThan(80);
  });

  it("normal: moments up to the fourth, and fit", () => {
    const random = Random.seeded(13);
    const draws = take(COUNT, () => random.normal());
    const moment = (power: number): number => draws.reduce((sum, x) => sum + x ** power, 0) / COUNT;
    // Five standard deviations of each: Var z^k = E z^2k − (E z^k)².
    const within = (variance: number): number => 5 * Math.sqrt(variance / COUNT);
    expect(Math.abs(moment(1))).toBeLessThan(within(1));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(within(2));
    expect(Math.abs(moment(3))).toBeLessThan(within(15));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(within(96));
    // The eighths of the standard normal.
    const eighths = [-1.1503493803760079, -0.6744897501960817, -0.31863936396437514, 0, 0.31863936396437514];
    const edges = [...eighths, 0.6744897501960817, 1.1503493803760079];
    const counts = take(8, () => 0);
    for (const x of draws) counts[edges.filter((edge) => x > edge).length] += 1;
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(7));
  });

  it("normal: the two of a pair, and pairs after one another, are independent", () => {
    const random = Random.seeded(14);
    const draws = take(COUNT, () => random.normal());
    for (const lag of [1, 2, 3]) {
      const product = draws.reduce((sum, x, k) => sum + (k >= lag ? x * draws[k - lag] : 0), 0) / COUNT;
      expect(Math.abs(product)).toBeLessThan(5 / Math.sqrt(COUNT));
    }
  });

  it.each([1, 2, 3, 7, 10, 100])("below(%i): every number as often", (bound) => {
    const random = Random.seeded(15);
    const outcomes = take(bound, () => 0).map((_, k) => `${k}`);
    const counts = tally(outcomes, 100_000, () => `${random.below(bound)}`);
    if (bound > 1) expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(bound - 1));
  });

  it("below: no bias where the bound is a large part of 2^32", () => {
    // Without rejection the lower half of [0, 3·2^30) would come twice as often in its first third.
    const random = Random.seeded(16);
    const counts = tally(["0", "1", "2"], 60_000, () => `${Math.floor(random.below(3 * 2 ** 30) / 2 ** 30)}`);
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(2));
    expect(take(1000, () => random.below(2 ** 32)).some((draw) => draw >= 2 ** 31)).toBe(true);
  });

  it.each([0, -1, 1.5, 2 ** 32 + 1, Number.NaN])("below(%d) is bad input", (bound) => {
    expect(() => Random.seeded(1).below(bound)).toThrow(ConfigError);
  });

  it("normals fills a stretch of a list with the stream's normals", () => {
    const a = Random.seeded(17);
    const out = Random.seeded(17).normals(new Float64Array(7), 2, 3);
    expect(Array.from(out)).toEqual([0, 0, a.normal(), a.normal(), a.normal(), 0, 0]);
  });

  it("shuffle: every order of four as often, and the rest of the list stays", () => {
    const random = Random.seeded(18);
    const orders = permutations([0, 1, 2, 3]).map((order) => `${order.join("")}8`);
    const counts = tally(orders, 48_000, () => random.shuffle([0, 1, 2, 3, 8], 4).join(""));
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(23));
  });
});

const permutations = (items: number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
