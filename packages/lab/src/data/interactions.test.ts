import fc from "fast-check";
import { expect, it } from "vitest";
import { Collector } from "./interactions.ts";
import { wordsOf } from "./words.ts";

it("splits tags at space, underscore and hyphen, and nowhere else", () => {
  expect(wordsOf("Doom_Metal  80s-pop")).toEqual(["doom", "metal", "80s", "pop"]);
  expect(wordsOf("r&b/soul\u00a0x,y")).toEqual(["r&b/soul\u00a0x,y"]);
  expect(wordsOf("\u00c9t\u00c9")).toEqual(["\u00e9t\u00e9"]);
  expect(wordsOf("- _")).toEqual([]);
});

it("keeps the earliest time of each of a user's items, and none where one is missing", () => {
  const time = fc.integer({ min: -2147483648, max: 2147483647 });
  const pair = fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 30 }), time);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 2500, size: "max" }), (pairs) => {
      const collector = new Collector();
      const expected = new Map<string, number>();
      for (const [user, item, at] of pairs) {
        collector.addPair(user, item, at);
        const key = `${user} ${item}`;
        expected.set(key, Math.min(expected.get(key) ?? at, at));
      }
      const { usersItems, usersTimes } = collector.finish();
      const found = [...usersItems].flatMap(([user, items]) =>
        [...items].map((item, k): [string, number] => [`${user} ${item}`, usersTimes!.get(user)![k]!]),
      );
      expect(new Map(found)).toEqual(expected);
      collector.addPair(1, 1);
      expect(collector.finish().usersTimes).toBeNull();
    }),
    { numRuns: 40 },
  );
});

it("gathers distinct items of each user, ascending, however many and in whatever order", () => {
  const id = fc.nat({ max: 2147483647 });
  const pair = fc.tuple(fc.oneof(fc.nat({ max: 5 }), id), fc.oneof(fc.nat({ max: 20 }), id));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 3000, size: "max" }), (pairs) => {
      const collector = new Collector();
      const expected = new Map<number, Set<number>>();
      for (const [user, item] of pairs) {
        collector.addPair(user, item);
        expected.set(user, (expected.get(user) ?? new Set()).add(item));
      }
      const found = [...collector.finish().usersItems].map(([user, items]) => [user, [...items]]);
      const sorted = [...expected].sort(([a], [b]) => a - b);
      expect(found).toEqual(sorted.map(([user, items]) => [user, [...items].sort((a, b) => a - b)]));
    }),
    { numRuns: 40 },
  );
});
