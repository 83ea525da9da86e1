import { Random } from "@coterie/core";
import { addObservation, type Heritage, type PeerRecord, slotSize } from "@coterie/core/internal";
import { describe, expect, it } from "vitest";
import { regain, retold } from "./regain.ts";

const D = 3;
const random = Random.seeded(5);
const ARMS = Array.from({ length: 60 }, () => Float64Array.from({ length: D }, () => random.normal() / 4));
const paid = (k: number): number => ARMS[k]![0]! - 0.5 * ARMS[k]![1]!;

/** What a peer knows that has seen these. */
function knows(arms: readonly number[], era = 0, version = 20): Heritage {
  const slot = new Float64Array(slotSize(D));
  let squares = 0;
  for (const k of arms) {
    addObservation(slot, 0, D, ARMS[k]!, 0, paid(k));
    squares += paid(k) ** 2;
  }
  return { slot, squares, count: arms.length, era, version };
}
const seen = (from: number, to: number, era = 0, version = 20): Heritage =>
  knows(
    Array.from({ length: to - from }, (_, k) => from + k),
    era,
    version,
  );
const published = (heritage: Heritage): PeerRecord => ({
  ...heritage,
  origin: "me",
  hash: 0,
  twin: 0,
  body: new Uint8Array(),
  signature: null,
});
const closeTo = (slot: Float64Array) => Array.from(slot, (value) => expect.closeTo(value, 9));

describe("regain", () => {
  it("adds what was seen since the loss to the record, and goes on above its version", () => {
    const record = published(seen(0, 40, 0, 9));
    const now = knows([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 50, 51], 0, 21);
    const { heritage, left } = regain(seen(0, 10), now, record)!;
    expect(heritage).toMatchObject({ count: 42, era: 0, version: 21 });
    const since = seen(50, 52);
    expect([...heritage.slot]).toEqual(closeTo(record.slot.map((value, k) => value + since.slot[k]!)));
    expect(heritage.squares).toBeCloseTo(record.squares + since.squares, 9);
    // A later record of the same past takes the place of this one, and what was seen since stays.
    const later = regain(left!, heritage, published(seen(0, 45, 0, 11)))!;
    expect(later.heritage).toMatchObject({ count: 47, version: 21 });
  });

  it("takes nothing from a record that says no more than is known", () => {
    expect(regain(seen(0, 10), seen(0, 12), published(seen(0, 10, 0, 5)))).toBeNull();
    expect(regain(seen(0, 10, 1), seen(0, 12, 1), published(seen(0, 40, 0, 5)))).toBeNull();
  });

  it("takes nothing from a record that was published after the loss: what was seen since is in it", () => {
    expect(regain(seen(0, 10), seen(0, 30), published(seen(0, 28, 0, 21)))).toBeNull();
  });

  it("counts a reward of before the loss once: it is in the record", () => {
    const left = retold(seen(0, 10), ARMS[10]!, paid(10));
    const { heritage } = regain(left, seen(0, 11), published(seen(0, 40)))!;
    expect(heritage.count).toBe(40);
  });

  it("after a new start only the era and the version are taken, so that no era has two contents", () => {
    const now = seen(50, 55, 1, 23);
    const { heritage, left } = regain(seen(0, 10), now, published(seen(20, 40, 1, 8)))!;
    expect(heritage).toEqual({ ...now, era: 2, version: 23 });
    expect(left).toBeNull();
  });

  it("sums are never those of more than the observations", () => {
    // Rounding makes records longer.
    const record = published({ ...seen(0, 30), slot: seen(0, 30).slot.map((value) => 40 * value), squares: 30 });
    const { heritage } = regain(seen(0, 0), seen(0, 0), record)!;
    const trace = heritage.slot[0]! + heritage.slot[2]! + heritage.slot[5]!;
    expect(trace).toBeCloseTo(30, 9);
    expect(heritage.slot[6]! / trace).toBeCloseTo(
      record.slot[6]! / (record.slot[0]! + record.slot[2]! + record.slot[5]!),
      9,
    );
  });
});
