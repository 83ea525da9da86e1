import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { Random } from "../numbers/random.ts";
import { type Arms, armsFrom, checkArms } from "./arms.ts";
import { Ball } from "./ball.ts";
import { type ChoiceRule, Chooser } from "./choice.ts";
import { Statistics } from "./statistics.ts";

// That scores are right is tested against the oracle (policies/oracle.test.ts); here is what it leaves out.

const D = 3;

/** A ball that has learnt something, so that scores differ in all their parts. */
function learnt(): Ball {
  const vectors = Random.seeded(1)
    .normals(new Float64Array(8 * D), 0)
    .map((value) => value / 6);
  const [ball, sums] = [new Ball(D), new Statistics(D)];
  for (let k = 0; k < 8; k++) sums.add(vectors, k * D, k - 3);
  ball.refresh(sums.slot);
  return ball;
}

const pick = (choice: ChoiceRule, arms: Arms, radius = 0.5): number =>
  new Chooser(D).pick(choice, learnt(), radius, arms, Random.seeded(7));

describe.each(["optimistic", "thompson"] as const)("%s", (choice) => {
  const arms = Array.from({ length: 13 }, (_, k) =>
    Array.from(Random.seeded(k).normals(new Float64Array(D)), (v) => v / 5),
  );
  const favourite = arms[pick(choice, armsFrom(arms, D))];
  const others = arms.filter((arm) => arm !== favourite);

  it("finds the best arm at whatever place, among however many", () => {
    for (let count = 1; count <= 13; count++) {
      for (let place = 0; place < count; place++) {
        const set = others.slice(0, count - 1);
        set.splice(place, 0, favourite);
        expect(pick(choice, armsFrom(set, D))).toBe(place);
      }
    }
  });

  it("takes the first of equal arms", () => {
    for (let first = 0; first < 6; first++) {
      for (let second = first + 1; second < 10; second++) {
        const set = others.slice(0, 10);
        set[first] = favourite;
        set[second] = favourite;
        expect(pick(choice, armsFrom(set, D))).toBe(first);
      }
    }
  });

  it("does not look beyond the arms that are offered", () => {
    const values = Float64Array.from([...others[0], ...others[1], ...favourite, ...favourite, Number.NaN]);
    for (const count of [1, 2]) {
      expect(pick(choice, { count, values })).toBe(pick(choice, armsFrom(others.slice(0, count), D)));
    }
  });
});

it("thompson needs something to draw from", () => {
  const arms = armsFrom([[1, 0, 0]], D);
  expect(() => new Chooser(D).pick("thompson", learnt(), 1, arms, undefined)).toThrow(ConfigError);
});

describe("arms", () => {
  const within = 1 + 0.9e-9;

  it.each([
    [[[0, 0, 0]]],
    [
      [
        [1, 0, 0],
        [0, -1, 0],
      ],
    ],
    [[[within, 0, 0]]],
  ])("%j are fine", (vectors) => {
    expect(() => checkArms(armsFrom(vectors, D), D)).not.toThrow();
  });

  it.each<[string, () => void, RegExp]>([
    ["none at all", () => checkArms(armsFrom([], D), D), /^arms\.count must be at least 1/],
    ["half an arm", () => checkArms({ count: 1.5, values: new Float64Array(9) }, D), /^arms\.count/],
    [
      "too few numbers",
      () => checkArms({ count: 2, values: new Float64Array(5) }, D),
      /^arms\.values must hold 2 arms/,
    ],
    [
      "a short vector",
      () =>
        armsFrom(
          [
            [1, 0, 0],
            [1, 0],
          ],
          D,
        ),
      /^arms\[1\] must have 3 features/,
    ],
    [
      "a hole",
      () =>
        checkArms(
          armsFrom(
            [
              [0, 0, 0],
              [0, Number.NaN, 0],
            ],
            D,
          ),
          D,
        ),
      /^arms\[1\]\[1\] must be a finite/,
    ],
    ["an infinity", () => checkArms(armsFrom([[0, 0, Number.NEGATIVE_INFINITY]], D), D), /^arms\[0\]\[2\]/],
    ["a long vector", () => checkArms(armsFrom([[1, 1e-4, 0]], D), D), /^arms\[0\] must lie within the unit ball/],
    ["another name", () => checkArms(armsFrom([[2, 0, 0]], D), D, "rounds[3].arms[0]"), /^rounds\[3\]\.arms\[0\]\[0\]/],
  ])("with %s are refused", (_, offer, message) => {
    expect(offer).toThrow(ConfigError);
    expect(offer).toThrow(message);
  });
});
