import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { coordinatesOf } from "./coordinates.ts";
import { cyclic, defineFeatures, flag, hashed, multiHot, number, oneHot, vector, vectors } from "./index.ts";
import { match } from "./match.ts";

const item = {
  genre: oneHot(["arts", "news", "sport"]),
  tags: multiHot(["new", "long"]),
  words: number(0, 1000),
  price: number(1, 100, { scale: "log" }),
  fresh: flag(),
  shape: vector(2),
};
const context = { device: oneHot(["phone", "desk"]), hour: cyclic(24), load: number(0, 10) };
const cross = [
  ["device", "genre"],
  ["load", "words"],
] as const;

/** The same app before and after a deploy. */
const PAIRS = {
  "a new value, another max and min": [
    defineFeatures(item),
    defineFeatures({
      ...item,
      genre: oneHot(["arts", "food", "news", "sport"]),
      words: number(-500, 4000),
      price: number(0.5, 1000, { scale: "log" }),
      shape: vector(2, { longest: 3 }),
    }),
  ],
  "features more and less": [
    defineFeatures({ item, context, cross: [...cross] }),
    defineFeatures({
      item: { ...item, id: hashed(4) },
      context: { ...context, load: number(-10, 30) },
      cross: [...cross, ["hour", "fresh"]],
    }),
  ],
  "a context where there was none": [defineFeatures(item), defineFeatures({ item, context, cross: [...cross] })],
  "a vector that is projected now, with crosses": [
    defineFeatures({
      item: { ...item, embedding: vector(12, { longest: 2 }) },
      context,
      cross: [...cross, ["device", "embedding"], ["load", "embedding"], ["embedding", "shape"]],
    }),
    defineFeatures({
      item: { ...item, embedding: vector(12, { longest: 3, project: 5 }) },
      context: { ...context, load: number(-10, 30) },
      cross: [...cross, ["device", "embedding"], ["load", "embedding"], ["embedding", "shape"]],
    }),
  ],
  "a value that is unknown now": [
    defineFeatures({ item, context, cross: [...cross] }),
    defineFeatures({
      item: { ...item, genre: oneHot(["arts", "news"], { unknown: "bucket" }) },
      context,
      cross: [...cross],
    }),
  ],
};

function things(random: Random) {
  return {
    item: {
      genre: ["arts", "news", "sport"][random.below(3)],
      tags: ["new", "long"].slice(random.below(3)),
      words: random.below(1000),
      price: 1 + random.below(99),
      fresh: random.below(2) === 1,
      shape: [random.uniform() - 0.5, random.uniform() - 0.5],
      id: random.below(100),
      // Short enough to stay within the unit ball when it is projected.
      embedding: Array.from({ length: 12 }, () => (random.uniform() - 0.5) / 2),
    },
    context: { device: ["phone", "desk"][random.below(2)], hour: random.below(24), load: 10 * random.uniform() },
  };
}

interface Encoder {
  readonly dimension: number;
  readonly names: readonly string[];
  describe(): string;
  encode(item: object, out: Float64Array, offset?: number, context?: object): void;
}
const coordinates = (features: Encoder) => coordinatesOf(features.describe(), undefined);
const arm = (features: Encoder, given: ReturnType<typeof things>): Float64Array => {
  const out = new Float64Array(features.dimension);
  features.encode(given.item, out, 0, features.describe().includes('"context"') ? given.context : undefined);
  return out;
};

describe("arms of one schema as arms of another", () => {
  it.each(Object.entries(PAIRS))("%s: as if they had been encoded anew", (_, [before, after]) => {
    const [old, now] = [before, after].map((features) => features as unknown as Encoder) as [Encoder, Encoder];
    const matched = match(coordinates(old), coordinates(now), 1);
    const random = Random.seeded(9);
    expect(matched.kept.length).toBeGreaterThan(9);
    for (let k = 0; k < 40; k++) {
      const given = things(random);
      const [x, wanted] = [matched.arm(arm(old, given)), arm(now, given)];
      for (const [i, name] of now.names.entries()) {
        expect([name, x[i]]).toEqual([name, expect.closeTo(matched.kept.includes(name) ? wanted[i] : 0, 9)]);
      }
    }
  });

  it("coordinates have the names that features give them", () => {
    for (const pair of Object.values(PAIRS)) {
      for (const features of pair as unknown as Encoder[]) {
        expect(coordinates(features).map(({ name }) => name)).toEqual(features.names);
      }
    }
    expect(coordinates(vectors(3) as unknown as Encoder).map(({ name }) => name)).toEqual(["x[0]", "x[1]", "x[2]"]);
  });

  const between = (one: object, other: object) => {
    const [old, now] = [one, other].map((schema) => defineFeatures(schema as { a: ReturnType<typeof flag> }));
    return match(coordinates(old as unknown as Encoder), coordinates(now as unknown as Encoder), 1);
  };

  it("a value that is gone is integrated out with all its crosses; a feature that is gone is left out", () => {
    const values = between(
      { item: { g: oneHot(["a", "b", "c"]) }, context: { d: flag() }, cross: [["d", "g"]] },
      { item: { g: oneHot(["a", "b"]) }, context: { d: flag() }, cross: [["d", "g"]] },
    );
    expect(values.gone).toEqual(["g=c", "d×g=c"]);
    expect(values.carry.marginal).toEqual([3, 7]);
    const whole = between({ g: oneHot(["a", "b"]), d: flag() }, { d: flag() });
    expect(whole).toMatchObject({ gone: ["g=a", "g=b"], carry: { marginal: [] } });
    const buckets = between({ g: hashed(4), d: flag() }, { g: hashed(8), d: flag() });
    expect(buckets).toMatchObject({ kept: ["bias", "d"], carry: { marginal: [] } });
    expect(between({ t: multiHot(["a", "b"]) }, { t: multiHot(["a"]) })).toMatchObject({
      gone: ["t=b"],
      carry: { marginal: [] },
    });
  });

  it("a vector that is projected otherwise, or no longer, begins anew: what was left out is not known", () => {
    const whole = { embedding: vector(6), b: flag() };
    const projected = { embedding: vector(6, { project: 3 }), b: flag() };
    const names = ["embedding[~0]", "embedding[~1]", "embedding[~2]"];
    expect(between(whole, projected)).toMatchObject({ kept: ["bias", "b", ...names], fresh: [], gone: [] });
    const back = between(projected, whole);
    expect(back).toMatchObject({ kept: ["bias", "b"], gone: names });
    expect(back.fresh).toHaveLength(6);
    const other = between(projected, { embedding: vector(6, { project: 2 }), b: flag() });
    expect(other).toMatchObject({ kept: ["bias", "b"], gone: names });
    const longer = between({ embedding: vector(5), b: flag() }, projected);
    expect(longer).toMatchObject({ kept: ["bias", "b"], fresh: names });
  });

  it("what has another basis under the same name begins anew", () => {
    const found = between({ a: number(1, 9), b: flag() }, { a: number(1, 9, { scale: "log" }), b: flag() });
    expect(found).toMatchObject({ kept: ["bias", "b"], fresh: ["a"], gone: ["a"] });
  });

  it("a number beyond its new range is at its bound", () => {
    const { arm: mapped } = between({ a: number(0, 100) }, { a: number(0, 10) });
    const x = mapped(Float64Array.of(Math.SQRT1_2, 0.9 * Math.SQRT1_2));
    expect(x[1]).toBeCloseTo(Math.SQRT1_2, 12);
  });
});
