import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { look, recordOf, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { allOf } from "../work.ts";
import { countCode } from "./countCode.ts";
import { ANY_RANK, KIN, rankFor, recordsFor } from "./greeting.ts";
import type { Group } from "./group.ts";
import { Population } from "./population.ts";
import { calledBy, hashesOf, type PeerRecord, publish } from "./record.ts";
import { Shelf } from "./shelf.ts";
import { RecordView } from "./view.ts";

const D = 2;
const SALT = 7;
const record = (i: number, version: number, theta = [1, -1]): PeerRecord =>
  recordOf(`p${i}`, version, look(Random.seeded(i).fork(version), theta, 5 * version, 0.3), D);

const makeView = (view: number, dimension = D): RecordView =>
  new RecordView("me", dimension, new Population(dimension), { view });
const versions = (view: RecordView): string[] =>
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
/** Believes that I am in each of the groups alike, and in one of them with this chance. */
const believeAll = (view: RecordView, chance: number): void => {
  const { all } = view.groups;
  view.believe(
    new Map(all.flatMap(({ list }) => list.map((group) => [group, chance / list.length / all.length] as const))),
  );
};
const origins = (view: RecordView): string[] => view.records().map(({ origin }) => origin);

describe("View", () => {
  it("holds the same versions whatever the order, the repetition and the parcels", () => {
    const arrival = fc.record({ peer: fc.nat(9), version: fc.integer({ min: 1, max: 3 }) });
    const property = fc.property(
      fc.array(arrival, { minLength: 1, maxLength: 30 }).chain((arrivals) =>
        fc.record({
          first: fc.constant(arrivals),
          second: fc.shuffledSubarray([...arrivals, ...arrivals], { minLength: 2 * arrivals.length }),
          parcel: fc.integer({ min: 1, max: 7 }),
          trimmed: fc.boolean(),
          size: fc.integer({ min: 1, max: 12 }),
        }),
      ),
      ({ first, second, parcel, trimmed, size }) => {
        const [one, other] = [makeView(size), makeView(size)];
        one.take(first.map(({ peer, version }) => record(peer, version)));
        one.trim(0);
        for (let k = 0; k < second.length; k += parcel) {
          other.take(second.slice(k, k + parcel).map(({ peer, version }) => record(peer, version)));
          expect(other.records().length).toBeLessThanOrEqual(2 * size);
          if (trimmed) other.trim(0);
          if (trimmed) expect(other.records().length).toBeLessThanOrEqual(size);
        }
        other.trim(0);
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
    view.trim(0);
    expect(origins(view).sort()).toEqual(best(40, 6).sort());
    const { worst, wants } = view.greeting(true, true, null, SALT);
    expect([worst, wants.size]).toEqual([rankFor("me", best(40, 6)[5]), 6]);
    const other = new RecordView("you", D, new Population(D), { view: 6 });
    other.take(range(40).map((i) => record(i, 1)));
    other.trim(0);
    expect(origins(other).sort()).not.toEqual(origins(view).sort());
  });

  it("keeps kin over strangers, and says who they are", () => {
    const view = makeView(6);
    const last = range(40)
      .map((i) => `p${i}`)
      .sort((a, b) => rankFor("me", b) - rankFor("me", a));
    const kin = last.slice(0, 3).map((origin) => record(Number(origin.slice(1)), 1));
    view.take(kin);
    believeAll(view, 0.95);
    expect([view.chance(kin[0].origin) > 0.1, view.chance("p0")]).toEqual([true, 0]);
    view.take(range(40).map((i) => record(i, 1, [-3, 3])));
    view.trim(0);
    expect(view.records().length).toBe(6);
    expect(origins(view)).toEqual(expect.arrayContaining(kin.map(({ origin }) => origin)));
    for (const { era, count, origin } of view.records()) {
      const hash = calledBy(hashesOf(origin, era), SALT);
      const kindred = kin.some((each) => each.origin === origin);
      const { wants } = view.greeting(true, true, null, SALT);
      expect((wants.get(hash)! & KIN) !== 0).toBe(kindred);
      expect(wants.get(hash)! & ~KIN).toBeGreaterThan(countCode(count));
      expect(view.lenders().has(origin)).toBe(kindred);
    }
  });

  it("wants news at every step of kin and of those nobody can place yet, of others seldom, and only now and then", () => {
    const view = makeView(12);
    view.take([record(0, 1), ...range(6).map((i) => record(10 + i, 9, [3, 3]))]);
    for (let round = 0; round < 20; round++) view.tidy(8, round);
    const [young, old] = view.records();
    expect([young.count, view.groups.entries.get(old.origin)!.groups[0].count]).toEqual([5, 270]);
    const told = (wide: boolean) => {
      const { wants, worst } = view.greeting(true, wide, null, SALT);
      return [wants.get(calledBy(young, SALT)), wants.get(calledBy(old, SALT)), worst];
    };
    expect(told(true)).toEqual([countCode(5) + 1, countCode(45) + 4, ANY_RANK]);
    expect(told(false)).toEqual([countCode(5) + 1, undefined, 0]);
    believeAll(view, 0.95);
    expect(told(false)).toEqual([(countCode(5) + 1) | KIN, (countCode(45) + 1) | KIN, 0]);
  });

  it("wants news of brief records, of fewer than two observations a feature, less often", () => {
    const view = makeView(4, 10);
    view.take([record(0, 1), record(1, 5)].map((each) => ({ ...each, slot: new Float64Array(65) })));
    const { wants } = view.greeting(true, true, null, SALT);
    const [brief, longer] = view.records();
    expect([brief.count, longer.count]).toEqual([5, 25]);
    expect(wants.get(calledBy(brief, SALT))).toBe(countCode(5) + 3);
    expect(wants.get(calledBy(longer, SALT))).toBe(countCode(25) + 1);
  });

  it("finds a stranger soon, among those it borrows from and among others", () => {
    const rounds = (mine: boolean): number => {
      const view = makeView(90);
      view.take(range(80).map((i) => record(i, 9, i >= 70 ? [1, -1] : i >= 60 ? [3, 3] : [-3, 3])));
      for (let round = 0; round < 40; round++) {
        allOf(view.groups.population.fitting(view.records(), 3));
        view.groups.revalue();
        view.tidy(20, round);
      }
      const { entries, all } = view.groups;
      // Now and then one is elsewhere, or a kind is in two pieces.
      for (const { list } of all) expect(list.length).toBeLessThanOrEqual(4);
      const groups = [...entries.get("p75")!.groups];
      if (mine) view.believe(new Map(groups.map((group) => [group, 1 / groups.length])));
      // It was short, and has turned out to be of another kind.
      view.take([record(75, 20, [3, 3])]);
      const still = (): boolean => groups.some((group, k) => entries.get("p75")!.groups[k] === group);
      expect(groups.every((group, k) => entries.get("p75")!.groups[k] === group)).toBe(true);
      let round = 0;
      while (still() && round < 40) view.tidy(8, round++);
      return round;
    };
    // Groups are few, so the groups of all eighty are guessed in each round; to place eight of them would find it in the tenth.
    expect(rounds(true)).toBeLessThanOrEqual(3);
    expect(rounds(false)).toBeLessThanOrEqual(3);
  });

  it("lets what is much shorter than my own go first, kin or not, and asks for no such thing", () => {
    const view = makeView(6);
    const short = range(6).map((i) => record(i, 1));
    const long = range(4).map((i) => record(10 + i, 9));
    view.take([...short, ...long]);
    view.believe(new Map(view.groups.entries.get("p0")!.groups.map((group) => [group, 0.9 / 4])));
    view.trim(countCode(45));
    expect(origins(view)).toEqual(expect.arrayContaining(long.map(({ origin }) => origin)));
    const greeting = view.greeting(true, true, null, SALT);
    // There are short ones to be replaced, so any rank will do.
    expect([greeting.least, greeting.worst]).toEqual([countCode(45), ANY_RANK]);
    const others = [record(20, 1), record(21, 9)];
    expect(recordsFor(greeting, null, Shelf.of(others), new Set(others), 9).map(({ origin }) => origin)).toEqual([
      "p21",
    ]);
  });

  it("names likely kin as often as they are likely, and nobody where there are none", () => {
    const view = makeView(12);
    view.take([...range(3).map((i) => record(i, 9)), ...range(3).map((i) => record(10 + i, 9, [3, 3]))]);
    for (let round = 0; round < 20; round++) {
      allOf(view.groups.population.fitting(view.records(), 3));
      view.groups.revalue();
      view.tidy(8, round);
    }
    const random = Random.seeded(7);
    expect(view.likelyKin(random)).toBe(null);
    const { all, entries } = view.groups;
    for (const { list } of all) expect(list.length).toBe(2);
    /** With the chance of being in the group of `near`, and in that of `far`. */
    const drawn = (near: number, far: number, isThere?: (peer: string) => boolean): string[] => {
      const chances = new Map<Group, number>();
      for (const group of entries.get("p0")!.groups) chances.set(group, near / all.length);
      for (const group of entries.get("p10")!.groups) chances.set(group, far / all.length);
      view.believe(chances);
      return range(3000).map(() => view.likelyKin(random, isThere)!);
    };
    const named = drawn(0.6, 0.3);
    for (const i of range(3)) {
      expect(Math.abs(named.filter((origin) => origin === `p${i}`).length / 3000 - 2 / 9)).toBeLessThan(0.03);
      expect(Math.abs(named.filter((origin) => origin === `p${10 + i}`).length / 3000 - 1 / 9)).toBeLessThan(0.03);
    }
    expect(new Set(drawn(0.95, 0.05))).toEqual(new Set(["p0", "p1", "p2"]));
    // Where only some are there, the likeliest of them, however little that is; a chance of next to nothing is none.
    const near = new Set(["p0", "p1", "p2"]);
    expect(new Set(drawn(0.6, 0.25, () => true))).toEqual(near);
    expect(new Set(drawn(0.06, 0.02, () => true))).toEqual(near);
    expect(new Set(drawn(0.06, 0.04, () => true)).size).toBe(6);
    expect(new Set(drawn(0.06, 0.04))).toEqual(new Set([null]));
    expect(new Set(drawn(0.01, 0, () => true))).toEqual(new Set([null]));
    drawn(0.95, 0.05);
    // Of those who are there.
    expect(range(100).map(() => view.likelyKin(random, (peer) => peer === "p1"))).toEqual(range(100).map(() => "p1"));
    expect(view.likelyKin(random, () => false)).toBe(null);
  });

  it("is sent nothing new once it took what it was sent", () => {
    const view = makeView(10);
    const all = range(30).map((i) => record(i, 1));
    let rounds = 0;
    for (; rounds < 30; rounds++) {
      const news = recordsFor(view.greeting(true, true, null, SALT), null, Shelf.of(all), new Set(), 4);
      if (news.length === 0) break;
      view.take(news);
      view.trim(0);
    }
    expect(rounds).toBeLessThan(10);
    expect(origins(view).sort()).toEqual(best(30, 10).sort());
  });

  it("welcomes everybody again when there is room", () => {
    const view = makeView(3);
    view.take(range(10).map((i) => record(i, 1)));
    view.trim(0);
    expect(view.greeting(true, true, null, SALT).worst).toBeLessThan(ANY_RANK);
    view.drop(origins(view)[0]);
    expect(view.greeting(false, true, null, SALT)).toMatchObject({ worst: ANY_RANK, due: false });
  });

  it("asks for a record of a new era although it is shorter, keeps it, and puts it into a group anew", () => {
    const view = makeView(12);
    const before = range(4).map((i) => record(i, 9));
    view.take(before);
    for (let round = 0; round < 20; round++) {
      allOf(view.groups.population.fitting(view.records(), 3));
      view.groups.revalue();
      view.tidy(8, round);
    }
    const groupsOf = (origin: string): Group[] => view.groups.entries.get(origin)!.groups;
    const homes = [...groupsOf("p0")];
    expect(homes.some(({ size }) => size > 1)).toBe(true);
    const seen = look(Random.seeded(9), [-3, 3], 20, 0.3);
    const after = publish("p0", 10, sumsOf(seen, D), 1);
    expect(recordsFor(view.greeting(true, true, null, SALT), null, Shelf.of([after]), new Set(), 4)).toEqual([after]);
    view.take([after]);
    view.settle();
    expect(view.groups.entries.get("p0")).toMatchObject({ record: after });
    for (const [k, group] of groupsOf("p0").entries()) expect(homes[k]).not.toBe(group);
    for (const { members } of homes) expect(members.map((entry) => entry.record.origin)).not.toContain("p0");
    // An old era that comes late is older by its version.
    view.take([before[0]]);
    expect(view.groups.entries.get("p0")!.record).toBe(after);
  });
});
