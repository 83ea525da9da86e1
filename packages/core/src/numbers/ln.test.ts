import { describe, expect, it } from "vitest";
import { cosSin2Pi, ln, log2 } from "./ln.ts";
import { Random } from "./random.ts";

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);
const words = new Uint32Array(double.buffer);

/** The place of a double among all doubles, in order. */
function place(x: number): bigint {
  double[0] = x;
  return bits[0] < 0n ? -(bits[0] & 0x7fffffffffffffffn) : bits[0];
}

/** How many doubles lie between two. */
const ulps = (x: number, y: number): number => Math.abs(Number(place(x) - place(y)));

const furthest = (values: readonly number[], ours: (x: number) => number, engine: (x: number) => number): number =>
  values.reduce((most, x) => Math.max(most, ulps(ours(x), engine(x))), 0);

const steps = (count: number, at: (k: number) => number): number[] => Array.from({ length: count }, (_, k) => at(k));

/** Any positive finite double, every exponent as likely as every other. */
function anyDouble(random: Random): number {
  do {
    words[0] = random.uint32();
    words[1] = random.uint32() & 0x7fffffff;
  } while (!(double[0] > 0 && double[0] < Number.POSITIVE_INFINITY));
  return double[0];
}

const random = Random.seeded(1);
const RANGES = {
  "all exponents": steps(200_000, () => anyDouble(random)),
  "between a quarter and four": steps(100_000, () => 0.25 + 3.75 * random.uniform()),
  "next to one": steps(20_000, (k) => 1 + (k - 10_000) * 2 ** -53),
  "where the mantissa is folded": steps(20_000, (k) => Math.SQRT2 + (k - 10_000) * 2 ** -52),
  subnormals: steps(20_000, (k) => (k + 1) * Number.MIN_VALUE),
  "whole numbers": steps(100_000, (k) => k + 1),
  ends: [Number.MIN_VALUE, 2 ** -1022, 2 ** -1022 - Number.MIN_VALUE, Number.MAX_VALUE, 1],
};

describe.each(Object.entries(RANGES))("logarithms of %s", (_, values) => {
  // An engine's own are within one of the truth, so two of them apart is what two good logarithms can be.
  it("ln is Math.log within 2 ulp", () => {
    expect(furthest(values, ln, Math.log)).toBeLessThanOrEqual(2);
  });

  it("log2 is Math.log2 within 3 ulp", () => {
    expect(furthest(values, log2, Math.log2)).toBeLessThanOrEqual(3);
  });
});

describe("logarithms", () => {
  it("log2 is exact at powers of two", () => {
    for (let k = -1074; k <= 1023; k++) expect(log2(2 ** k)).toBe(k);
  });

  it.each([
    [0, Number.NEGATIVE_INFINITY],
    [-0, Number.NEGATIVE_INFINITY],
    [-1, Number.NaN],
    [Number.NaN, Number.NaN],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [1, 0],
  ])("of %d is %d", (x, value) => {
    expect([ln(x), log2(x)]).toEqual([value, value]);
  });

  it("rise with x", () => {
    const sorted = RANGES["all exponents"].slice(0, 20_000).sort((a, b) => a - b);
    for (let k = 1; k < sorted.length; k++) {
      expect(ln(sorted[k]) >= ln(sorted[k - 1]) && log2(sorted[k]) >= log2(sorted[k - 1])).toBe(true);
    }
  });
});

describe("cosSin2Pi", () => {
  /** [cos 2πu, sin 2πu] from the engine, with the quarter turns taken off first: 2πu itself is not a double. */
  function engine(u: number): [number, number] {
    const quarter = Math.round(4 * u);
    const angle = 2 * Math.PI * (u - quarter / 4);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const turned: [number, number][] = [
      [c, s],
      [-s, c],
      [-c, -s],
      [s, -c],
    ];
    return turned[quarter % 4];
  }

  it("is the engine's within 2 ulp of one", () => {
    const out = new Float64Array(2);
    let worst = 0;
    for (const u of [...steps(200_000, () => random.uniform()), ...steps(1024, (k) => k / 1024), 1 - 2 ** -53]) {
      cosSin2Pi(out, u);
      const [c, s] = engine(u);
      worst = Math.max(worst, Math.abs(out[0] - c), Math.abs(out[1] - s));
    }
    expect(worst).toBeLessThanOrEqual(2 * Number.EPSILON);
  });

  it("is exact at quarter turns", () => {
    const at = (u: number): number[] => {
      const out = new Float64Array(2);
      cosSin2Pi(out, u);
      return Array.from(out, (value) => value + 0); // -0 is 0
    };
    expect([0, 0.25, 0.5, 0.75].map(at)).toEqual([
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ]);
  });
});
