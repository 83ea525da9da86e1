import { describe, expect, it } from "vitest";
import { Reader, Writer } from "../numbers/bytes.ts";
import { Random } from "../numbers/random.ts";
import { look, type Seen, sumsOf } from "../testing/kin.ts";
import { OwnSums } from "./own.ts";
import { clicks, gaussian } from "./rewardLikelihood.ts";

const D = 3;
const seen = look(Random.seeded(1), [1, 0, -1], 500, 0.2);
/** By how much each reward was off: any numbers. */
const errors = Random.seeded(2).normals(new Float64Array(500));

function live(own: OwnSums, { arms, rewards }: Seen, from = 0, to = arms.length): OwnSums {
  for (let k = from; k < to; k++) own.add(Float64Array.from(arms[k]), 0, rewards[k], errors[k % 500]);
  return own;
}

const last = (count: number): Seen => ({ arms: seen.arms.slice(-count), rewards: seen.rewards.slice(-count) });

function near(a: ArrayLike<number>, b: ArrayLike<number>): void {
  expect(a.length).toBe(b.length);
  for (let k = 0; k < a.length; k++) expect(a[k]).toBeCloseTo(b[k], 9);
}

const bytesOf = (own: OwnSums): Uint8Array => {
  const out = new Writer();
  own.write(out);
  return out.bytes();
};

describe("a peer's own sums", () => {
  it("are those of all it has seen, and since each later start of the last so many", () => {
    const own = live(new OwnSums(D), seen);
    const all = sumsOf(seen, D);
    near(own.slot, all.slot);
    expect(own.squares).toBeCloseTo(all.squares, 9);
    expect([own.count, own.era]).toEqual([500, 0]);
    for (const start of own.later) {
      const since = own.countSince(start);
      const sums = sumsOf(last(since), D);
      near(own.slotSince(start, new Float64Array(sums.slot.length)), sums.slot);
      expect(own.squares - start.squares).toBeCloseTo(sums.squares, 9);
      expect(start.worst).toBe(Math.max(...errors.slice(-since).map((error) => error * error)));
      expect(own.since(since)).toEqual({ slot: own.slotSince(start, start.slot.slice()), count: since });
    }
  });

  it("have few starts, and one near every moment", () => {
    const own = new OwnSums(D);
    for (let n = 1; n <= 500; n++) {
      live(own, seen, n - 1, n);
      const counts = [own.count, ...own.later.map((start) => own.countSince(start))];
      expect(counts.length).toBeLessThan(2 + (2 * Math.log(n)) / Math.log(1.5) + 2);
      if (n > 1) expect(counts.at(-1)).toBe(1);
      // Between two starts that follow one another nobody is more than half as long again.
      counts.slice(1).forEach((count, k) => {
        expect(counts[k]).toBeGreaterThan(count);
        expect(counts[k]).toBeLessThanOrEqual(Math.max(count + 1, 1.5 * count));
      });
    }
  });

  it("count all as recent where there are no more", () => {
    const own = live(new OwnSums(D), seen, 0, 40);
    expect([own.since(41).count, own.since(41).slot]).toEqual([40, own.slot]);
  });

  it("begin anew at a start, whose later ones stay", () => {
    const own = live(new OwnSums(D), seen);
    const all = own.count;
    const start = own.later[4];
    const count = own.countSince(start);
    const rest = own.later.slice(5).map((later) => own.countSince(later));
    own.restart(start);
    expect([own.era, own.count, own.outdated]).toEqual([1, count, all - count]);
    near(own.slot, sumsOf(last(count), D).slot);
    expect(own.later.map((later) => own.countSince(later))).toEqual(rest);
    for (const later of own.later) {
      near(own.slotSince(later, later.slot.slice()), sumsOf(last(own.countSince(later)), D).slot);
    }
    own.clear();
    expect([own.era, own.count, own.squares, own.later.length, own.outdated]).toEqual([2, 0, 0, 0, all]);
    expect(own.slot.every((value) => value === 0)).toBe(true);
  });

  it("go on from bytes with the same bits", () => {
    const own = live(new OwnSums(D), seen, 0, 300);
    own.restart(own.later[3]);
    own.later[0].tested = 7;
    const back = new OwnSums(D);
    back.read(new Reader(bytesOf(own), (_, field) => new Error(field)));
    expect(bytesOf(back)).toEqual(bytesOf(own));
    expect(bytesOf(live(back, seen, 300))).toEqual(bytesOf(live(own, seen, 300)));
  });

  it("know whether rewards are clicks: two values, in any order and era, and never again once there was a third", () => {
    const pay = (own: OwnSums, ...rewards: number[]): OwnSums => {
      for (const reward of rewards) own.add(new Float64Array(D), 0, reward, 0);
      return own;
    };
    const said = ({ likelihood }: OwnSums): unknown[] => [likelihood.tellsNoise, likelihood.bonus(-0.5, 0.1, 9)];
    const usual = gaussian.bonus(-0.5, 0.1, 9);
    const two = clicks(-2, 1).bonus(-0.5, 0.1, 9);
    const own = new OwnSums(D);
    expect(said(own)).toEqual([false, usual]);
    expect(said(pay(own, 1, 1))).toEqual([false, usual]);
    expect(said(pay(own, -2, 1, -2))).toEqual([false, two]);
    own.clear();
    expect(said(own)).toEqual([false, two]);
    expect(said(pay(own, 0))).toEqual([true, usual]);
    const size = bytesOf(own).length;
    pay(own, 5, 6, 7);
    own.clear();
    pay(own, 8);
    expect([own.likelihood, bytesOf(own).length]).toEqual([gaussian, size]);
    const back = new OwnSums(D);
    back.read(new Reader(bytesOf(own), (_, field) => new Error(field)));
    expect(back.likelihood).toBe(gaussian);
  });
});
