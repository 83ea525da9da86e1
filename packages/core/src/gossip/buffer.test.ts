import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import { slotSize, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { relativeGap } from "../testing/same.ts";
import { type Buffer, EpochBuffer, RoundBuffer } from "./buffer.ts";

// How buffers work within a policy is tested against the oracle (policies/oracle.test.ts); here each by itself.

const D = 3;
const random = Random.seeded(31);

/** The sums of one random observation. */
function observation(): Statistics {
  const x = random.normals(new Float64Array(D)).map((value) => value / 4);
  const sums = new Statistics(D);
  sums.add(x, 0, random.normal());
  return sums;
}

/** scale · Σ parts, added up afresh. */
function sum(parts: readonly Statistics[], scale = 1): number[] {
  return Array.from({ length: slotSize(D) }, (_, k) => scale * parts.reduce((total, { slot }) => total + slot[k], 0));
}

function ownIn(buffer: Buffer): Statistics {
  const own = new Statistics(D);
  buffer.addOwn(own);
  return own;
}

const slotOf = ({ shared }: Buffer, position: number): Float64Array =>
  shared.values.slice(shared.offset(position), shared.offset(position) + shared.size);

const withIdentity = (values: readonly number[]): number[] => {
  const diagonal = [0, 2, 5];
  return values.map((value, k) => value + (diagonal.includes(k) ? 1 : 0));
};

/** Takes in `rounds` observations under a limit and tells, after each, how often something was promoted. */
function live(buffer: Buffer, active: Statistics, rounds: number, limit: number): Statistics[] {
  return Array.from({ length: rounds }, (_, k) => {
    const seen = observation();
    buffer.append(k + 1, seen);
    buffer.promote(active, limit, 2);
    return seen;
  });
}

describe("a buffer of rounds", () => {
  it.each([
    [0, 0],
    [0.5, 0],
    [1, 1],
    [2.5, 2],
    [4, 4],
  ])("holds no more than L = %d slots, and promotes the older ones by weight", (limit, held) => {
    const buffer = new RoundBuffer(D, false);
    const active = new Statistics(D);
    const seen = live(buffer, active, 9, limit);
    expect(buffer.held).toBe(held);
    expect(buffer.shared.newestRound).toBe(9);
    expect(relativeGap(active.slot, sum(seen.slice(0, 9 - held), 2))).toBeLessThan(1e-14);
    expect(active.count).toBe(2 * (9 - held));
    for (let k = 0; k < held; k++) expect(slotOf(buffer, k)).toEqual(seen[9 - held + k].slot);
  });

  it("says whether anything was promoted, and catches up when the limit falls", () => {
    const buffer = new RoundBuffer(D, true);
    const active = new Statistics(D);
    const seen = live(buffer, active, 5, 5);
    expect(buffer.promote(active, 5, 1)).toBe(false);
    expect(active.count).toBe(0);
    expect(buffer.promote(active, 2, 1)).toBe(true);
    expect([buffer.held, active.count, ownIn(buffer).count]).toEqual([2, 3, 2]);
    expect(relativeGap(ownIn(buffer).slot, sum(seen.slice(3)))).toBeLessThan(1e-14);
  });

  it("keeps own sums that equal a fresh sum after any number of drops", () => {
    const buffer = new RoundBuffer(D, true);
    const active = new Statistics(D);
    const waiting: Statistics[] = [];
    let furthest = 0;
    for (let round = 1; round <= 20_000; round++) {
      const seen = observation();
      waiting.push(seen);
      buffer.append(round, seen);
      // What is mixed into the shared part must not show in one's own.
      buffer.shared.values.fill(round % 3, buffer.shared.offset(0), buffer.shared.offset(0) + buffer.shared.size);
      buffer.promote(active, 7, 1);
      while (waiting.length > 7) waiting.shift();
      furthest = Math.max(furthest, relativeGap(ownIn(buffer).slot, sum(waiting)));
      expect(ownIn(buffer).count).toBe(waiting.length);
    }
    // Without adding up afresh now and then it would be three times as much, and grow without end.
    expect(furthest).toBeLessThan(4e-15);
    expect(furthest).toBeGreaterThan(0);
  });

  it("after a reset holds zeros and, as the newest slot, the local sums and as much of I as is asked for", () => {
    for (const identity of [0, 1]) {
      const buffer = new RoundBuffer(D, true);
      const seen = live(buffer, new Statistics(D), 3, 9);
      const local = new Statistics(D);
      for (const { slot } of seen) for (let k = 0; k < slot.length; k++) local.slot[k] += slot[k];
      local.count = 3;
      buffer.reset(4, local, identity);
      expect([buffer.held, buffer.shared.newestRound]).toEqual([4, 4]);
      for (let k = 0; k < 3; k++) expect([...slotOf(buffer, k), buffer.shared.count(k)]).toEqual(Array(10).fill(0));
      const plain = Array.from(local.slot);
      expect(Array.from(slotOf(buffer, 3))).toEqual(identity === 1 ? withIdentity(plain) : plain);
      expect(ownIn(buffer)).toEqual(local);
      // The zeros leave without a trace.
      buffer.promote(new Statistics(D), 1, 5);
      expect(ownIn(buffer)).toEqual(local);
    }
  });

  it("without the bridge has nothing of its own to add", () => {
    const buffer = new RoundBuffer(D, false);
    live(buffer, new Statistics(D), 3, 9);
    expect(ownIn(buffer).count).toBe(0);
  });
});

describe("a buffer of epochs", () => {
  it.each([
    [0, 1],
    [1, 1],
    [2.2, 3],
    [4, 4],
  ])("with L = %d promotes the closed epoch every %i rounds, and closes the open one", (limit, epoch) => {
    const buffer = new EpochBuffer(D, true);
    const active = new Statistics(D);
    const rounds = 3 * epoch + (epoch > 1 ? 1 : 0);
    const seen = live(buffer, active, rounds, limit);
    expect(relativeGap(active.slot, sum(seen.slice(0, 2 * epoch), 2))).toBeLessThan(1e-14);
    expect(relativeGap(slotOf(buffer, 0), sum(seen.slice(2 * epoch, 3 * epoch)))).toBeLessThan(1e-14);
    expect(relativeGap(buffer.open.slot, sum(seen.slice(3 * epoch)))).toBeLessThan(1e-14);
    expect(relativeGap(ownIn(buffer).slot, sum(seen.slice(2 * epoch)))).toBeLessThan(1e-14);
    expect([active.count, buffer.shared.count(0), ownIn(buffer).count]).toEqual([4 * epoch, epoch, rounds - 2 * epoch]);
    expect([buffer.held, buffer.shared.length, buffer.shared.newestRound]).toEqual([2, 1, 3 * epoch]);
  });

  it("after a reset keeps its place in the epoch, with the local sums in the open slot", () => {
    for (const identity of [0, 1]) {
      const buffer = new EpochBuffer(D, identity === 0);
      live(buffer, new Statistics(D), 4, 3); // one epoch closed, one round of the next
      const local = observation();
      buffer.reset(5, local, identity);
      const plain = Array.from(local.slot);
      expect(Array.from(buffer.open.slot)).toEqual(identity === 1 ? withIdentity(plain) : plain);
      expect([...slotOf(buffer, 0), buffer.shared.count(0), buffer.age]).toEqual([...Array(10).fill(0), 2]);
      if (identity === 0) expect(ownIn(buffer)).toEqual(local);
      expect(buffer.promote(new Statistics(D), 3, 1)).toBe(false);
      buffer.append(6, observation());
      expect(buffer.promote(new Statistics(D), 3, 1)).toBe(true);
    }
  });

  it("holds one slot for partners to read, of the size of one", () => {
    expect(new EpochBuffer(D, false).shared.size).toBe(triangleSize(D) + D);
  });
});

it("an epoch buffer dated anew keeps its own apart from what it mixed", () => {
  const buffer = new EpochBuffer(1, true);
  const seen = new Statistics(1);
  seen.add(Float64Array.of(1), 0, 1);
  const active = new Statistics(1);
  buffer.append(1, seen);
  buffer.promote(active, 1, 1);
  buffer.append(2, seen);
  const own = () => {
    const sums = new Statistics(1);
    buffer.addOwn(sums);
    return sums.count;
  };
  expect(own()).toBe(2);
  buffer.redate(90);
  expect([own(), buffer.shared.newestRound, buffer.shared.count(0)]).toEqual([2, 90, 1]);
});
