import { describe, expect, expectTypeOf, it } from "vitest";
import { cyclic } from "./cyclic.ts";
import { defineFeatures } from "./define.ts";
import { flag } from "./flag.ts";
import { hashed } from "./hashed.ts";
import { Menu } from "./menu.ts";
import { number } from "./number.ts";
import { oneHot } from "./oneHot.ts";
import type { Context, Item, ScoreParts, Situated } from "./schema.ts";
import { refused } from "./testing/refused.ts";
import { vector } from "./vector.ts";

const situated = {
  item: { genre: oneHot(["news", "sport"]), fresh: flag() },
  context: { device: oneHot(["phone", "desktop"]), load: number(0, 1) },
  cross: [
    ["device", "genre"],
    ["fresh", "load"],
  ],
} as const;
const features = defineFeatures(situated);
const item = { genre: "sport", fresh: true } as const;
const context = { device: "phone", load: 0.5 } as const;

describe("a schema with a context", () => {
  it("names every coordinate: bias, item, context, crosses", () => {
    expect(features.names).toEqual([
      ...["bias", "fresh", "genre=news", "genre=sport", "device=desktop", "device=phone", "load"],
      ...[
        "device×genre=desktop×news",
        "device×genre=desktop×sport",
        "device×genre=phone×news",
        "device×genre=phone×sport",
      ],
      "fresh×load",
    ]);
    expect(features.spans.at(-2)).toEqual({
      name: "device×genre",
      of: "cross",
      factors: ["device", "genre"],
      from: 7,
      end: 11,
    });
  });

  it("encodes a cross as the product of its two sides, and every arm lies within the unit ball", () => {
    const out = new Float64Array(2 * features.dimension).fill(9);
    features.encodeAll([{ genre: "news", fresh: false }, item], out, 0, context);
    const scaled = Array.from(out.subarray(features.dimension), (value) => value * Math.sqrt(7));
    [1, 1, 0, 1, 0, 1, 0.5, 0, 0, 0, 1, 0.5].forEach((value, i) => {
      expect(scaled[i]).toBeCloseTo(value, 12);
    });
    const alone = new Float64Array(features.dimension);
    features.encode(item, alone, 0, context);
    expect(alone).toEqual(out.slice(features.dimension));
    expect(alone.reduce((sum, value) => sum + value * value, 0)).toBeLessThanOrEqual(1);
  });

  it("escapes what would make two coordinates of one name", () => {
    const { names } = defineFeatures({
      item: { a: oneHot(["x×y", "x"]), b: oneHot(["z", "y×z"]) },
      cross: [["a", "b"]],
    });
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("a×b=x\\×y×z");
  });

  it("means the same in whatever order crosses are listed, and another thing with other crosses", () => {
    const [one, other] = situated.cross;
    expect(defineFeatures({ ...situated, cross: [other, one] }).fingerprint).toBe(features.fingerprint);
    expect(defineFeatures({ ...situated, cross: [one] }).fingerprint).not.toBe(features.fingerprint);
  });

  it("without context and crosses means what the flat form means", () => {
    expect(defineFeatures({ item: situated.item }).describe()).toBe(defineFeatures(situated.item).describe());
    expect(defineFeatures({ item: flag(), encode: flag() }).names).toEqual(["bias", "encode", "item"]);
  });

  it("explains crosses by their own names", () => {
    const arm = new Float64Array(features.dimension);
    features.encode(item, arm, 0, context);
    const shares = features.contributions(new Float64Array(features.dimension).fill(Math.sqrt(7)), arm);
    expectTypeOf<keyof typeof shares>().toEqualTypeOf<
      "bias" | "genre" | "fresh" | "device" | "load" | "device×genre" | "fresh×load"
    >();
    expect(shares["device×genre"]).toBeCloseTo(1, 12);
    expect(shares["fresh×load"]).toBeCloseTo(0.5, 12);
  });
});

describe("types", () => {
  it("of items and contexts follow from the schema", () => {
    type S = typeof situated;
    expectTypeOf<Item<S>>().toEqualTypeOf<{ genre: "news" | "sport"; fresh: boolean }>();
    expectTypeOf<Context<S>>().toEqualTypeOf<{ device: "phone" | "desktop"; load: number }>();
    expectTypeOf<Context<{ item: S["item"] }>>().toEqualTypeOf<undefined>();
    expectTypeOf<Context<S["item"]>>().toEqualTypeOf<undefined>();
    expectTypeOf<keyof ScoreParts<S>>().toExtend<string>();
  });

  it("refuse a cross of names that are not declared, or of two contexts", () => {
    const { item, context } = situated;
    // @ts-expect-error no such feature
    expect(refused(() => defineFeatures({ item, context, cross: [["devise", "genre"]] }))).toEqual({
      field: "features.cross[0][0]",
      value: "devise",
      bound: "be one of fresh, genre, device, load",
    });
    // @ts-expect-error both are the same for all items
    expect(refused(() => defineFeatures({ item, context, cross: [["device", "load"]] })).field).toBe(
      "features.cross[0]",
    );
    // @ts-expect-error a pair
    expect(refused(() => defineFeatures({ item, cross: [["genre"]] })).field).toBe("features.cross[0]");
  });

  it("let an item lack what may be unknown", () => {
    const loose = defineFeatures({ genre: oneHot(["news"], { unknown: "bucket" }), fresh: flag() });
    expectTypeOf<{ fresh: boolean }>().toExtend<Item<typeof loose>>();
    expectTypeOf<{ fresh: boolean; genre: string }>().toExtend<Item<typeof loose>>();
  });
});

describe("a wrong schema is refused by its place", () => {
  it.each<[string, unknown]>([
    ["features.item", { item: {} }],
    ["features.context", { item: { a: flag() }, context: [] }],
    ["features.context.b", { item: { a: flag() }, context: { b: 1 } }],
    ["features.context.a", { item: { a: flag() }, context: { a: flag() } }],
    ["features.item.bias", { item: { bias: flag() } }],
    ["features.crosses", { item: { a: flag() }, crosses: [] }],
    ["features.cross", { item: { a: flag() }, cross: {} }],
    ["features.cross[0]", { item: { a: flag() }, cross: [["a", "a"]] }],
    [
      "features.cross[1]",
      {
        item: { a: flag(), b: flag() },
        cross: [
          ["a", "b"],
          ["b", "a"],
        ],
      },
    ],
    ["features.cross[0]", { item: { a: flag(), b: flag(), "a×b": flag() }, cross: [["a", "b"]] }],
    ["features", { item: { a: vector(100), b: vector(100) }, cross: [["a", "b"]] }],
    ["features", { a: oneHot(["=b"]), "a=": oneHot(["b"]) }],
  ])("%s", (field, given) => {
    expect(refused(() => defineFeatures(given as Situated as never)).field).toBe(field);
  });
});

describe("a context that does not fit", () => {
  const out = new Float64Array(features.dimension);
  it("is named, and never taken for a bad item", () => {
    const wrong = { ...context, device: "tv" } as never;
    expect(refused(() => features.encode(item, out, 0, wrong))).toMatchObject({ field: "context.device", value: "tv" });
    expect(refused(() => features.encode(item, out)).field).toBe("context");
    const arms = new Menu(features, { onBadItem: "skip" });
    expect(refused(() => arms.read([item], { context: wrong })).field).toBe("context.device");
    const flat = defineFeatures(situated.item);
    expect(refused(() => flat.encode(item, out, 0, {} as never)).field).toBe("context");
  });
});

describe("an item that cannot be encoded", () => {
  const bad = { genre: "opera", fresh: true } as never;

  it("is left out where the app says so, and named", () => {
    const told: unknown[] = [];
    const arms = new Menu(features, {
      onBadItem: "skip",
      onBad: ({ index, message }) => told.push([index, message]),
    });
    const items = [bad, item, bad, item];
    arms.read(items, { context, exclude: (_: unknown, index: number) => index === 3 });
    expect(arms.places).toEqual([1]);
    expect([arms.count, arms.armOf(1, items)]).toEqual([1, 0]);
    expect(refused(() => arms.armOf(2, items)).field).toBe("index");
    expect(told).toEqual([
      [0, 'items[0].genre must be one of news, sport, but is "opera"'],
      [2, 'items[2].genre must be one of news, sport, but is "opera"'],
    ]);
    const alone = new Float64Array(features.dimension);
    features.encode(item, alone, 0, context);
    expect(arms.values.slice(0, features.dimension)).toEqual(alone);
  });

  it("is refused where none is left, and where the app says nothing, by its place in the app's list", () => {
    const skipping = new Menu(features, { onBadItem: "skip" });
    expect(refused(() => skipping.read([bad, bad], { context })).field).toBe("items[0].genre");
    const arms = new Menu(features);
    const later = (): unknown =>
      arms.read([item, item, bad], { context, exclude: (_: unknown, index: number) => index === 0 });
    expect(refused(later).field).toBe("items[2].genre");
    expect(refused(() => arms.read([item], { context, exclude: () => true })).field).toBe("exclude");
  });
});

describe("an unknown bucket", () => {
  const loose = defineFeatures({ genre: oneHot(["news", "sport"], { unknown: "bucket" }) });
  const places = (genre: unknown): number => {
    const out = new Float64Array(loose.dimension);
    loose.encode({ genre } as never, out);
    return out.indexOf(out[0], 1);
  };

  it("takes texts that are not declared, and what is missing; nothing else", () => {
    expect(loose.names).toEqual(["bias", "genre=news", "genre=sport", "genre=(unknown)"]);
    expect(["sport", "opera", "", null, undefined].map(places)).toEqual([2, 3, 3, 3, 3]);
    expect(refused(() => places(7)).field).toBe("item.genre");
    // @ts-expect-error no such way
    expect(refused(() => oneHot(["a"], { unknown: "drop" })).field).toBe("oneHot.unknown");
    expect(refused(() => oneHot(["(unknown)"], { unknown: "bucket" })).field).toBe("oneHot.values[0]");
  });
});

describe("hashed", () => {
  it("gives any text or number one of its buckets, always the same, and spreads them", () => {
    const by = defineFeatures({ id: hashed(16) });
    expect(by.names.slice(0, 3)).toEqual(["bias", "id#0", "id#1"]);
    const bucket = (id: unknown): number => {
      const out = new Float64Array(by.dimension);
      by.encode({ id } as never, out);
      expect(Array.from(out.subarray(1)).filter((value) => value !== 0)).toHaveLength(1);
      return out.indexOf(out[0], 1) - 1;
    };
    expect(bucket("article-17")).toBe(bucket("article-17"));
    expect(bucket(17)).toBe(bucket("17"));
    const counts = new Array(16).fill(0);
    for (let k = 0; k < 1600; k++) counts[bucket(`article ${k}`)] += 1;
    expect(Math.min(...counts)).toBeGreaterThan(60);
    expect(Math.max(...counts)).toBeLessThan(140);
    expect(refused(() => bucket(Number.NaN)).field).toBe("item.id");
    expect(refused(() => hashed(0)).field).toBe("hashed.buckets");
  });
});

describe("cyclic", () => {
  it("is a place on a circle: sine and cosine to the last bits", () => {
    const hour = defineFeatures({ hour: cyclic(24) });
    expect(hour.names).toEqual(["bias", "hour[sin]", "hour[cos]"]);
    const at = (value: number): number[] => {
      const out = new Float64Array(3);
      hour.encode({ hour: value }, out);
      return [out[1] * Math.SQRT2, out[2] * Math.SQRT2];
    };
    for (let value = -30; value < 60; value += 0.37) {
      const [sin, cos] = at(value);
      expect(sin).toBeCloseTo(Math.sin((2 * Math.PI * value) / 24), 14);
      expect(cos).toBeCloseTo(Math.cos((2 * Math.PI * value) / 24), 14);
    }
    expect(at(25)).toEqual(at(1));
    expect(at(6)).toEqual([1, 0]);
    expect(refused(() => at(Number.POSITIVE_INFINITY)).field).toBe("item.hour");
    expect(refused(() => cyclic(0)).field).toBe("cyclic.period");
  });
});
