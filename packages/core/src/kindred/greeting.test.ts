import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { range } from "../testing/play.ts";
import { countCode, countOf, NOTHING } from "./countCode.ts";
import { ANY_RANK, type Greeting, KIN, rankFor, recordsFor } from "./greeting.ts";
import { profileOf } from "./profile.ts";
import { calledBy, hashesOf, type PeerRecord, publish } from "./record.ts";
import { Shelf } from "./shelf.ts";

const SALT = 7;

const record = (origin: string, count: number, version = 1): PeerRecord =>
  publish(origin, version, { slot: new Float64Array(2), squares: 0, count });

const greet = (wants: { [origin: string]: number } = {}, more: Partial<Greeting> = {}): Greeting => ({
  peer: "reader",
  due: true,
  worst: ANY_RANK,
  least: 0,
  salt: SALT,
  wants: new Map(Object.entries(wants).map(([origin, want]) => [calledBy(hashesOf(origin, 0), SALT), want])),
  profile: null,
  ...more,
});

/** Two records that are called the same under this salt. */
function twins(salt: number): [PeerRecord, PeerRecord] {
  const known = new Map<number, string>();
  for (let k = 0; ; k++) {
    const origin = `p${k}`;
    const called = calledBy(hashesOf(origin, 0), salt);
    const other = known.get(called);
    if (other !== undefined) return [record(other, 9), record(origin, 9)];
    known.set(called, origin);
  }
}

const sent = (to: Greeting, own: PeerRecord | null, others: PeerRecord[], budget = 32): string[] =>
  recordsFor(to, own, Shelf.of(others), new Set(), budget).map(({ origin }) => origin);

describe("countCode", () => {
  it("is 0 for nothing, and rises by one each eighth of an octave, from 4,096 on each half", () => {
    expect([0, 1, 2, 4, 8, 2 ** 12, 2 ** 20].map(countCode)).toEqual([0, 1, 9, 17, 25, 97, 113]);
    expect([8, 9, 10, 11, 12, 13, 14, 15, 16].map(countCode)).toEqual([25, 26, 27, 28, 29, 30, 31, 32, 33]);
    expect([1000, 1023, 1024, 1024.5].map(countCode)).toEqual([80, 80, 81, 81]);
  });

  it("has a least count", () => {
    for (let code = 1; code < 126; code++) {
      const least = Math.ceil(countOf(code) - 1e-9);
      expect(countCode(least)).toBeGreaterThanOrEqual(code);
      if (least > 1) expect(countCode(least - 1)).toBeLessThan(code);
    }
  });

  it("never falls, and stays below a want that nothing meets", () => {
    const counts = fc.integer({ min: 0, max: 2 ** 45 });
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        expect(countCode(Math.min(a, b))).toBeLessThanOrEqual(countCode(Math.max(a, b)));
        expect(countCode(a)).toBeLessThan(NOTHING);
      }),
      { seed: 2, numRuns: 1000 },
    );
  });
});

describe("recordsFor", () => {
  it("sends its own first, then what the reader lacks most", () => {
    expect(sent(greet(), record("own", 1), [record("a", 5), record("b", 50)])).toEqual(["own", "b", "a"]);
    expect(sent(greet(), null, [record("a", 5)])).toEqual(["a"]);
  });

  it("never sends the reader's own, nor less than it wants", () => {
    const others = [record("reader", 90), record("less", 10), record("enough", 16), record("none", 1e6)];
    const wants = { less: countCode(16), enough: countCode(16), own: countCode(8), none: NOTHING };
    expect(sent(greet(wants), record("own", 7), others)).toEqual(["enough"]);
    expect(sent(greet(), record("reader", 7), [])).toEqual([]);
  });

  it("sends kin before others, however much those are lacked", () => {
    const others = [record("a", 4e6), record("kin", 10), record("b", 4e6)];
    const wants = { a: 1, kin: countCode(9) | KIN };
    expect(sent(greet(wants), null, others)[0]).toBe("kin");
    expect(sent(greet(wants), null, others, 1)).toEqual(["kin"]);
  });

  it("leaves out unknown origins of too high a rank, its own too, but not known ones", () => {
    const origins = range(40).map((k) => `p${k}`);
    const worst = 2 ** 31;
    const welcome = origins.filter((origin) => rankFor("reader", origin) < worst);
    const unwelcome = origins.find((origin) => rankFor("reader", origin) >= worst)!;
    const others = origins.map((origin) => record(origin, 5));
    expect(sent(greet({}, { worst }), null, others, 100).sort()).toEqual(welcome.sort());
    expect(sent(greet({}, { worst }), record(unwelcome, 5), [])).toEqual([]);
    expect(sent(greet({ [unwelcome]: 1 }, { worst }), null, [record(unwelcome, 5)])).toEqual([unwelcome]);
    expect(sent(greet({}, { worst: 0 }), null, others)).toEqual([]);
  });

  it("sends those most like a reader that seeks kin, and itself, whatever their rank", () => {
    const others = range(40).map((k) => record(`p${k}`, 5));
    const profile = profileOf(Float64Array.of(1), 9);
    const told = recordsFor(
      greet({}, { worst: 0, profile }),
      record("own", 1),
      Shelf.of(others),
      new Set(others.slice(7, 9)),
      32,
    );
    expect(told.map(({ origin }) => origin)).toEqual(["own", "p7", "p8"]);
    expect(sent(greet({}, { worst: 0 }), record("own", 1), others)).toEqual([]);
  });

  it("hears of a record that shares its name with another under one salt, in the next greeting", () => {
    const [held, lacked] = twins(SALT);
    const wants = (salt: number) => ({ salt, wants: new Map([[calledBy(held, salt), NOTHING]]) });
    expect(sent(greet({}, wants(SALT)), null, [lacked])).toEqual([]);
    for (const salt of [SALT + 1, SALT + 2, 0xffffffff]) {
      expect(sent(greet({}, wants(salt)), null, [lacked])).toEqual([lacked.origin]);
    }
  });

  it("keeps within the budget, and has nothing left to send to one who took it all", () => {
    const part = fc.record({
      count: fc.integer({ min: 1, max: 1e6 }),
      known: fc.integer({ min: 0, max: 1e6 }),
      kin: fc.boolean(),
    });
    const property = fc.property(fc.array(part, { maxLength: 30 }), fc.nat(7), (parts, spare) => {
      const records = parts.map(({ count }, k) => record(`p${k}`, count));
      const wants = new Map<number, number>();
      parts.forEach((of, k) => {
        if (of.known > 0) wants.set(calledBy(records[k], SALT), (countCode(of.known) + 1) | (of.kin ? KIN : 0));
      });
      const budget = spare + 1;
      for (let left = records.length; ; left -= budget) {
        const news = recordsFor(greet({}, { wants }), null, Shelf.of(records), new Set(), budget);
        expect(news.length).toBeLessThanOrEqual(Math.min(budget, Math.max(left, 0)));
        expect(new Set(news).size).toBe(news.length);
        if (news.length === 0) return;
        for (const each of news) {
          const { count } = each;
          const hash = calledBy(each, SALT);
          expect(countCode(count)).toBeGreaterThanOrEqual((wants.get(hash) ?? 0) & ~KIN);
          wants.set(hash, ((wants.get(hash) ?? 0) & KIN) | (countCode(count) + 1));
        }
      }
    });
    fc.assert(property, { seed: 6, numRuns: 200 });
  });
});
