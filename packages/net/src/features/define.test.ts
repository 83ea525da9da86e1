import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { defineFeatures } from "./define.ts";
import { flag } from "./flag.ts";
import { number } from "./number.ts";
import { oneHot } from "./oneHot.ts";
import type { Schema } from "./schema.ts";
import { refused } from "./testing/refused.ts";
import { vector } from "./vector.ts";

const schema = { topic: oneHot(["sport", "arts", "tech"]), words: number(0, 3000), fresh: flag() };
const features = defineFeatures(schema);

describe("a schema", () => {
  it("names its coordinates: the bias, then the features by name", () => {
    expect(features.names).toEqual(["bias", "fresh", "topic=arts", "topic=sport", "topic=tech", "words"]);
    expect(features.dimension).toBe(6);
    expect(defineFeatures({ e: vector(2), a: flag() }).names).toEqual(["bias", "a", "e[0]", "e[1]"]);
  });

  it("encodes an item at its place, over what was there", () => {
    const out = new Float64Array(8).fill(9);
    features.encode({ topic: "sport", words: 1500, fresh: true }, out, 1);
    expect(Array.from(out)).toEqual([9, 0.5, 0.5, 0, 0.5, 0, 0.25, 9]);
  });

  it("describes itself in one spelling, of which the fingerprint is a digest anybody can make", () => {
    expect(features.describe()).toBe(
      '{"encoding":1,"features":[{"name":"fresh","kind":"flag"},' +
        '{"name":"topic","kind":"oneHot","values":["arts","sport","tech"]},' +
        '{"name":"words","kind":"number","min":0,"max":3000,"scale":"linear"}]}',
    );
    const digest = createHash("sha256").update(features.describe()).digest("hex");
    expect(features.fingerprint).toBe(digest.slice(0, 32));
  });

  it("is returned as it is when it is defined already", () => {
    expect(defineFeatures(features)).toBe(features);
  });

  it("may have a feature called encode", () => {
    expect(defineFeatures({ encode: flag() }).names).toEqual(["bias", "encode"]);
  });
});

describe("an item that does not fit", () => {
  const out = new Float64Array(6);
  /** As from an app in JavaScript. */
  const encode = (item: unknown) => () => features.encode(item as never, out);
  const fine = { topic: "arts", words: 1, fresh: true };
  const third = (item: unknown) => () => {
    features.encodeAll([fine, fine, item] as never, new Float64Array(18));
  };

  it("is refused by its place, value and bound", () => {
    expect(refused(third({ ...fine, topic: "politics" }))).toEqual({
      field: "items[2].topic",
      value: "politics",
      bound: "be one of arts, sport, tech",
    });
    expect(third({ ...fine, words: Number.NaN })).toThrow(
      "items[2].words must be a finite number from 0 to 3000, but is NaN",
    );
    expect(refused(encode({ topic: "arts", words: 1 })).field).toBe("item.fresh");
    expect(refused(encode(null)).field).toBe("item");
  });

  it.each([null, undefined, 3, "arts"])("%o is no item", (item) => {
    expect(refused(third(item))).toEqual({
      field: "items[2]",
      value: item,
      bound: "be an object with fresh, topic, words",
    });
  });

  it("is named down to the entry of a vector", () => {
    const embedded = defineFeatures({ e: vector(2) });
    const items = [{ e: [0, 0] }, { e: [0, Number.POSITIVE_INFINITY] }];
    expect(refused(() => embedded.encodeAll(items, new Float64Array(6))).field).toBe("items[1].e[1]");
    expect(refused(() => embedded.encode(items[1], new Float64Array(3))).field).toBe("item.e[1]");
  });

  it("is not written beyond the room there is", () => {
    const item = { topic: "arts", words: 1, fresh: true } as const;
    for (const offset of [1, -1, 0.5, Number.NaN]) {
      expect(refused(() => features.encode(item, out, offset)).field).toBe("out");
    }
    expect(refused(() => features.encodeAll([item, item], out)).field).toBe("out");
  });
});

describe("out of range", () => {
  const out = new Float64Array(3);
  const item = { loose: 11, tight: 5 };
  const loose = number(0, 10, { outOfRange: "clamp" });

  it("is clamped, unless the schema says error; a feature's own word counts more", () => {
    expect(() => defineFeatures({ tight: number(0, 10) }).encode({ tight: 11 }, out)).not.toThrow();
    const strict = defineFeatures({ loose, tight: number(0, 10) }, { outOfRange: "error" });
    expect(() => strict.encode(item, out)).not.toThrow();
    expect(refused(() => strict.encode({ ...item, tight: 11 }, out)).field).toBe("item.tight");
    const own = defineFeatures({ tight: number(0, 10, { outOfRange: "error" }) });
    expect(refused(() => own.encode({ tight: -1 }, out)).field).toBe("item.tight");
  });

  it("is no part of what the coordinates mean", () => {
    const strict = defineFeatures(schema, { outOfRange: "error" });
    expect(strict.fingerprint).toBe(features.fingerprint);
  });
});

describe("a wrong schema is refused by its place", () => {
  it.each<[string, unknown]>([
    ["features", {}],
    ["features", null],
    ["features", [flag()]],
    ["features", { "": flag() }],
    ["features.bias", { bias: flag() }],
    ["features.fresh", { fresh: true }],
    ["features.fresh", { fresh: flag }],
    ["features", { a: vector(4000, { project: false }), b: vector(100) }],
  ])("%s", (field, given) => {
    expect(refused(() => defineFeatures(given as Schema)).field).toBe(field);
  });

  it("and so are wrong options", () => {
    // @ts-expect-error no such way
    expect(refused(() => defineFeatures(schema, { outOfRange: "drop" })).field).toBe("options.outOfRange");
    // @ts-expect-error no such option
    expect(refused(() => defineFeatures(schema, { range: "clamp" })).field).toBe("options.range");
  });

  it("but 4096 coordinates are fine", () => {
    expect(defineFeatures({ a: vector(4095, { project: false }) }).dimension).toBe(4096);
  });
});

describe("a fingerprint changes with", () => {
  it.each<[string, Schema]>([
    ["a name", { topics: schema.topic, words: schema.words, fresh: schema.fresh }],
    ["a value", { ...schema, topic: oneHot(["sport", "arts", "music"]) }],
    ["one more value", { ...schema, topic: oneHot(["sport", "arts", "tech", "music"]) }],
    ["a bound", { ...schema, words: number(0, 3001) }],
    ["a scale", { ...schema, words: number(1, 3000, { scale: "log" }) }],
    ["a kind", { ...schema, fresh: number(0, 1) }],
    ["a feature less", { topic: schema.topic, words: schema.words }],
    ["a feature more", { ...schema, e: vector(2) }],
  ])("%s", (_, other) => {
    expect(defineFeatures(other).fingerprint).not.toBe(features.fingerprint);
  });

  it("the scale alone, and the longest vector alone", () => {
    const print = (given: Schema) => defineFeatures(given).fingerprint;
    expect(print({ a: number(1, 2) })).not.toBe(print({ a: number(1, 2, { scale: "log" }) }));
    expect(print({ a: vector(2) })).not.toBe(print({ a: vector(2, { longest: 2 }) }));
    expect(print({ a: vector(2) })).not.toBe(print({ a: vector(3) }));
  });

  it("but not with the order in which values are listed", () => {
    const other = { ...schema, topic: oneHot(["tech", "sport", "arts"]) };
    expect(defineFeatures(other).fingerprint).toBe(features.fingerprint);
  });
});

it("contributions name each feature's part of a score", () => {
  const arm = new Float64Array(6);
  features.encode({ topic: "tech", words: 3000, fresh: false }, arm);
  const shares = features.contributions([1, 2, 3, 4, 5, -6], arm);
  expect(shares).toEqual({ bias: 0.5, fresh: 0, topic: 2.5, words: -3 });
  expect(refused(() => features.contributions([1, 2], arm)).field).toBe("estimate");
  expect(refused(() => features.contributions(arm, arm, 1)).field).toBe("arm");
});
