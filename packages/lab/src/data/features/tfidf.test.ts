import { expect, it } from "vitest";
import { weighWords } from "./tfidf.ts";

const interactions = {
  itemIds: [4, 9, 11],
  words: new Map([
    [
      4,
      new Map([
        ["rock", 3],
        ["metal", 1],
      ]),
    ],
    [9, new Map([["rock", 2]])],
    [
      11,
      new Map([
        ["pop", 1],
        ["rock", 1],
      ]),
    ],
  ]),
};

it("weighs counts by ln((1+n)/(1+df)) + 1 and makes rows of unit length, words in alphabetical order", () => {
  const a = weighWords(interactions);
  // n = 3; metal and pop are in 1 item, rock in 3.
  const rare = Math.log(4 / 2) + 1;
  const common = Math.log(4 / 4) + 1;
  const first = Math.hypot(rare, 3 * common);
  const last = Math.hypot(rare, common);
  expect([a.rowCount, a.columnCount]).toEqual([3, 3]);
  expect([...a.starts]).toEqual([0, 2, 3, 5]);
  expect([...a.columns]).toEqual([0, 2, 2, 1, 2]);
  const expected = [rare / first, (3 * common) / first, 1, rare / last, common / last];
  for (let k = 0; k < 5; k++) expect(a.values[k]).toBeCloseTo(expected[k]!, 14);
});

it("does not hang on the order in which words were met", () => {
  const turned = new Map([...interactions.words].map(([item, counts]) => [item, new Map([...counts].reverse())]));
  expect(weighWords({ ...interactions, words: turned })).toEqual(weighWords(interactions));
});
