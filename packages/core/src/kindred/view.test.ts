import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { ANY_RANK, countCode, KIN, rankFor, recordsFor } from "./greeting.ts";
import { Population } from "./population.ts";
import type { Record } from "./record.ts";
import { View } from "./view.ts";

const D = 2;
const record = (i: number, version: number, theta = [1, -1]): Record =>
  recordOf(`p${i}`, version, look(Random.seeded(i).fork(version), theta, 5 * version, 0.3), D);

const makeView = (view: number): View => new View("me", D, new Population(D), { view });
const versions = (view: View): string[] =>
  view
    .records()
    .map(({ origin, version }) => `${origin}:${version}`)
    .sort();
/** The `size` of these peers that rank best for me. */
const best = (peers: number, size: number): string[] =>
  range(peers)
    .map((i) => `p${i}`)
    .sort((a, b) => rankFor("me", a) - rankFor("me", b))
    .slice(0, size);
const origins = (view: View): string[] => view.records().map(({ origin }) => origin);

describe("View", () => {
  it("holds the same versions whatever the order, the repetition and the parcels", () => {
    const arrival = fc.record({ peer: fc.nat(9), version: fc.integer({ min: 1, max: 3 }) });
    const property = fc.property(
      fc.array(arrival, { minLength: 1, maxLength: 30 }).chain((arrivals) =>
        fc.record({
          first: fc.constant(arrivals),
          second: fc.shuffledSubarray([...arrivals, ...arrivals], { minLength: 2 * arrivals.length }),
          parcel: fc.integer({ min: 1, max: 7 }),
          size: fc.integer({ min: 1, max: 12 }),
        }),
      ),
      ({ first, second, parcel, size }) => {
        const [one, other] = [makeView(size), makeView(size)];
        one.take(first.map(({ peer, version }) => record(peer, version)));
        for (let k = 0; k < second.length; k += parcel) {
          other.take(second.slice(k, k + parcel).map(({ peer, version }) => record(peer, version)));
          expect(other.records().length).toBeLessThanOrEqual(size);
        }
        expect(versions(other)).toEqual(versions(one));
        const newest = new Map<string, number>();
        for (const { peer, version } of first) {
          newest.set(`p${peer}`, Math.max(version, newest.get(`p${peer}`) ?? 0));
        }
        for (const { origin, version } of one.records()) expect(version).toBe(newest.get(origin));
        expect(one.records().length).toBe(Math.min(size, newest.size));
      },
    );
    fc.assert(property, { seed: 9, numRuns: 150 });
  });

  it("takes no record of its own", () => {
    const view = makeView(5);
    view.take([{ ...record(1, 1), origin: "me" }]);
    expect(view.records()).toEqual([]);
  });

  it("keeps the same sample of strangers, however they come", () => {
    const view = makeView(6);
    for (const i of range(40)) view.take([record(i, 1)]);
    expect(origins(view).sort()).toEqual(best(40, 6).sort());
    const { worst, known } = view.greeting(true);
    expect([worst, known.size]).toEqual([rankFor("me", best(40, 6)[5]), 6]);
    const other = new View("you", D, new Population(D), { view: 6 });
    other.take(range(40).map((i) => record(i, 1)));
    expect(origins(other).sort()).not.toEqual(origins(view).sort());
  });

  it("keeps kin over strangers, and says who they are", () => {
    const view = makeView(6);
    const last = range(40)
      .map((i) => `p${i}`)
      .sort((a, b) => rankFor("me", b) - rankFor("me", a));
    const kin = last.slice(0, 3).map((origin) => record(Number(origin.slice(1)), 1));
    view.take(kin);
    view.believe(new Map(view.groups.list.map((group) => [group, 0.95 / view.groups.list.length])));
    expect([view.chance(kin[0].origin) > 0.1, view.chance("p0")]).toEqual([true, 0]);
    view.take(range(40).map((i) => record(i, 1, [-3, 3])));
    expect(view.records().length).toBe(6);
    expect(origins(view)).toEqual(expect.arrayContaining(kin.map(({ origin }) => origin)));
    for (const { hash, count, origin } of view.records()) {
      const kindred = kin.some((each) => each.origin === origin);
      expect(view.greeting(true).known.get(hash)).toBe(countCode(count) | (kindred ? KIN : 0));
      expect(view.lenders().has(origin)).toBe(kindred);
    }
  });

  it("is sent nothing new once it took what it was sent", () => {
    const view = makeView(10);
    const all = range(30).map((i) => record(i, 1));
    const options = { growth: 1.1, budget: 4, dimension: D };
    let rounds = 0;
    for (; rounds < 30; rounds++) {
      const news = recordsFor(view.greeting(true), null, all, options);
      if (news.length === 0) break;
      view.take(news);
    }
    expect(rounds).toBeLessThan(10);
    expect(origins(view).sort()).toEqual(best(30, 10).sort());
  });

  it("welcomes everybody again when there is room", () => {
    const view = makeView(3);
    view.take(range(10).map((i) => record(i, 1)));
    expect(view.greeting(true).worst).toBeLessThan(ANY_RANK);
    view.drop(origins(view)[0]);
    expect([view.greeting(false).worst, view.greeting(false).due]).toEqual([ANY_RANK, false]);
  });
});
