import { describe, expect, it } from "vitest";
import {
  type BoundChance,
  beta,
  burnIn,
  corollaryBound,
  delayLoss,
  learningTerm,
  logVolume,
  noSharingBound,
  theorem1Bound,
  theorem2Bound,
  trivialBound,
  usefulFrom,
} from "./bounds.ts";

/** |V| = 4, t = 3 and d = 2: 1 + |V|t/d = 7 and 1 + t/d = 5/2. */
const setting: BoundChance = { peers: 4, dimension: 2, rounds: 3, noise: 0.5, norm: 1, delta: 0.25 };
const close = (value: number, expected: number) => expect(value / expected).toBeCloseTo(1, 9);

// Worked out apart from the code, with ln 7 = 1.945910149, ln 4 = 1.386294361, ln 2.5 = 0.916290732, ln 24 = 3.178053830.
describe("the parts of the bounds", () => {
  it("ln (1 + nt/d)^d", () => {
    close(logVolume(4, setting), 3.89182029811);
    close(logVolume(1, setting), 1.832581463748);
  });

  it("N(δ) = √3 / ((1 − 2^−¼) √δ): 1.7320508 / (0.1591036 · 0.5)", () => {
    close(burnIn(0.25), 21.772618264144);
    // A quarter of the chance, twice the rounds.
    close(burnIn(0.0625), 2 * 21.772618264144);
  });

  it("ν = (d+1) d² (4n ln(n^1.5 t))³: 12 · (16 ln 24)³ for four, 12 · (4 ln 3)³ for one", () => {
    close(delayLoss(4, setting), 1577701.8734905822);
    close(delayLoss(1, setting), 1018.3441613905);
  });

  it("β = R √(ln 49 + ln 4) + 1 = 0.5 · √5.27811465923 + 1", () => {
    close(beta(setting), 2.14870738868);
  });
});

describe("the bounds", () => {
  it("trivial: 2 · 4 · 3", () => {
    expect(trivialBound(setting)).toBe(24);
    expect(trivialBound({ ...setting, norm: 0.5 })).toBe(12);
  });

  it("CB-NoSharing: 4 · 2.1487 · √(3 · 1.83258)", () => {
    close(noSharingBound(setting), 20.152528343161);
  });

  it("Theorem 1: 4 · 21.77 + 1,577,702 + 4e² (2.1487 + 2) √(12 · 3.89182)", () => {
    close(learningTerm(setting), 837.9705818716);
    close(theorem1Bound(setting), 4 * 21.772618264144 + 1577701.8734905822 + 837.9705818716);
    // The norm scales the first two parts; in the last it is one of three summands.
    const half = theorem1Bound({ ...setting, norm: 0.5 }) - learningTerm({ ...setting, norm: 0.5 });
    close(2 * half, theorem1Bound(setting) - learningTerm(setting));
  });

  it("the corollary is Theorem 1's last part at δ = 1/√12, and √12", () => {
    close(corollaryBound(setting), Math.sqrt(12) + learningTerm({ ...setting, delta: 12 ** -0.5 }));
    close(corollaryBound(setting), 838.25129999);
  });

  it("Theorem 2: found late, C + 4 log2(8 · 64) = 64 + 36 rounds are lost", () => {
    const cluster = { size: 2, foundAt: 64 };
    // ν(2) = 12 (8 ln(2^1.5 · 3))³ = 60,072.7146856, and ln (1 + 2·3/2)^2 = 2 ln 4.
    close(theorem2Bound(cluster, setting), 60435.800009335);
    close(
      theorem2Bound(cluster, setting),
      200 + 60072.7146856 + 4 * Math.E * (0.5 * 2.35482004503 + 2.5) * 4.0786679607,
    );
  });

  it("Theorem 2: found at once, √2 N(δ) rounds are lost", () => {
    const [early, later] = [1, 2].map((foundAt) => theorem2Bound({ size: 2, foundAt }, setting));
    expect(early).toBe(later);
    const late = theorem2Bound({ size: 2, foundAt: 64 }, setting);
    expect(late - early!).toBeCloseTo(2 * (100 - Math.SQRT2 * 21.772618264144), 6);
  });

  it("all but the corollary fall as the chance of failure grows", () => {
    const bolder = { ...setting, delta: 0.5 };
    expect(noSharingBound(bolder)).toBeLessThan(noSharingBound(setting));
    expect(theorem1Bound(bolder)).toBeLessThan(theorem1Bound(setting));
    expect(theorem2Bound({ size: 2, foundAt: 1 }, bolder)).toBeLessThan(
      theorem2Bound({ size: 2, foundAt: 1 }, setting),
    );
  });

  it("Theorem 1 says nothing before millions of rounds, CB-NoSharing's soon", () => {
    expect(usefulFrom(noSharingBound, setting)).toBeLessThan(8);
    const useful = usefulFrom(theorem1Bound, setting)!;
    expect(useful).toBeGreaterThan(1e6);
    const before = { ...setting, rounds: useful / 2 };
    expect(theorem1Bound(before)).toBeGreaterThanOrEqual(trivialBound(before));
    expect(usefulFrom((at) => 2 * trivialBound(at), setting)).toBeNull();
  });
});
