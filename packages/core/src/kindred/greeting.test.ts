import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { range } from "../testing/play.ts";
import { ANY_RANK, countCode, type Greeting, KIN, rankFor, recordsFor } from "./greeting.ts";
import { originHash, publish, type Record } from "./record.ts";

const record = (origin: string, count: number, version = 1): Record =>
  publish(origin, version, { slot: new Float64Array(2), squares: 0, count });

const OPTIONS = { growth: 1.1, budget: 32, dimension: 1 };

const greet = (known: { [origin: string]: number } = {}, more: Partial<Greeting> = {}): Greeting => ({
  peer: "reader",
  due: true,
  settled: true,
  worst: ANY_RANK,
  known: new Map(Object.entries(known).map(([origin, code]) => [originHash(origin), code])),
  ...more,
});

const sent = (to: Greeting, own: Record | null, others: Record[], budget = 32): string[] =>
  recordsFor(to, own, others, { ...OPTIONS, budget }).map(({ origin }) => origin);

describe("countCode", () => {
  it("is the count itself below 16384", () => {
    for (let count = 0; count < 16384; count++) expect(countCode(count)).toBe(count);
  });

  it("never falls, and stays within 15 bits", () => {
    const counts = fc.integer({ min: 0, max: 2 ** 45 });
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        expect(countCode(Math.min(a, b))).toBeLessThanOrEqual(countCode(Math.max(a, b)));
        expect(countCode(a) & ~0x7fff).toBe(0);
      }),
      { seed: 2, numRuns: 1000 },
    );
    for (let count = 16000; count < 20000; count++) {
      expect(countCode(count)).toBeGreaterThanOrEqual(countCode(count - 1));
    }
    expect(countCode(2 ** 32)).toBe(16384 + 18 * 512);
  });
});

describe("recordsFor", () => {
  it("sends its own first, then what the reader lacks most", () => {
    expect(sent(greet(), record("own", 1), [record("a", 5), record("b", 50)])).toEqual(["own", "b", "a"]);
    expect(sent(greet(), null, [record("a", 5)])).toEqual(["a"]);
  });

  it("never sends the reader's own, nor what it has", () => {
    const others = [record("reader", 90), record("same", 10), record("more", 10)];
    expect(sent(greet({ same: 10, more: 30, own: 7 }), record("own", 7), others)).toEqual([]);
    expect(sent(greet(), record("reader", 7), [])).toEqual([]);
  });

  it("sends kin before others that it lacks as much", () => {
    const others = [record("a", 40), record("kin", 40), record("b", 40)];
    expect(sent(greet({ a: 10, b: 10, kin: 10 | KIN }), null, others)[0]).toBe("kin");
    expect(sent(greet({ a: 10, b: 10, kin: 10 | KIN }), null, others, 1)).toEqual(["kin"]);
  });

  it("tells news of kin at growth, of others at twice, and of all while the reader is unsettled and knows little", () => {
    const others = [record("a", 111), record("kin", 111)];
    const known = { a: 100, kin: 100 | KIN };
    expect(sent(greet(known), null, others)).toEqual(["kin"]);
    expect(sent(greet(known), null, [record("a", 199), record("kin", 109)])).toEqual([]);
    expect(sent(greet(known), null, [record("a", 200)])).toEqual(["a"]);
    expect(sent(greet(known, { settled: false }), null, others)).toEqual(["kin"]);
    expect(sent(greet({ a: 3 }, { settled: false }), null, [record("a", 4)])).toEqual(["a"]);
    expect(sent(greet({ a: 3 }), null, [record("a", 4)])).toEqual([]);
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
  });

  it("keeps within the budget, and has nothing left to send to one who took it all", () => {
    const part = fc.record({
      count: fc.integer({ min: 1, max: 1e6 }),
      known: fc.integer({ min: 0, max: 1e6 }),
      kin: fc.boolean(),
    });
    const property = fc.property(
      fc.array(part, { maxLength: 30 }),
      fc.nat(7),
      fc.boolean(),
      (parts, spare, settled) => {
        const records = parts.map(({ count }, k) => record(`p${k}`, count));
        const known = new Map<number, number>();
        parts.forEach((of, k) => {
          if (of.known > 0) known.set(records[k].hash, countCode(of.known) | (of.kin ? KIN : 0));
        });
        const budget = spare + 1;
        for (let left = records.length; ; left -= budget) {
          const news = recordsFor(greet({}, { known, settled }), null, records, { ...OPTIONS, budget });
          expect(news.length).toBeLessThanOrEqual(Math.min(budget, Math.max(left, 0)));
          expect(new Set(news).size).toBe(news.length);
          if (news.length === 0) return;
          for (const { hash, count } of news) {
            expect(countCode(count)).toBeGreaterThan((known.get(hash) ?? 0) & ~KIN);
            known.set(hash, ((known.get(hash) ?? 0) & KIN) | countCode(count));
          }
        }
      },
    );
    fc.assert(property, { seed: 6, numRuns: 200 });
  });
});
