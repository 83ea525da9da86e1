import { cyclic, defineFeatures, flag, hashed, multiHot, number, oneHot, vector, vectors } from "@coterie/net";
import { describe, expect, it } from "vitest";
import { parseFeatures, vectorFeatures } from "./features.ts";
import { readPolicy } from "./options.ts";

describe("features in a file", () => {
  it("mean what the same features mean in code", () => {
    const file = {
      topic: { kind: "oneHot", values: ["sport", "arts"] },
      tags: { kind: "multiHot", values: ["new", "long"] },
      words: { kind: "number", min: 1, max: 3000, scale: "log", outOfRange: "error" },
      fresh: { kind: "flag" },
      look: { kind: "vector", dimension: 4, longest: 2 },
      text: { kind: "vector", dimension: 384, project: 32 },
      sound: { kind: "vector", dimension: 110, project: false },
    };
    const code = {
      topic: oneHot(["sport", "arts"]),
      tags: multiHot(["new", "long"]),
      words: number(1, 3000, { scale: "log", outOfRange: "error" }),
      fresh: flag(),
      look: vector(4, { longest: 2 }),
      text: vector(384, { project: 32 }),
      sound: vector(110, { project: false }),
    };
    expect(parseFeatures(file).fingerprint).toBe(defineFeatures(code).fingerprint);
    expect(vectorFeatures(5).fingerprint).toBe(vectors(5).fingerprint);
  });

  it("may have a context and crosses", () => {
    const file = {
      item: { genre: { kind: "oneHot", values: ["news"], unknown: "bucket" }, id: { kind: "hashed", buckets: 4 } },
      context: { hour: { kind: "cyclic", period: 24 } },
      cross: [["hour", "genre"]],
    };
    const code = defineFeatures({
      item: { genre: oneHot(["news"], { unknown: "bucket" }), id: hashed(4) },
      context: { hour: cyclic(24) },
      cross: [["hour", "genre"]],
    });
    expect(parseFeatures(file).fingerprint).toBe(code.fingerprint);
    expect(parseFeatures({ item: { kind: "flag" } }).names).toEqual(["bias", "item"]);
  });

  const wrong: [file: unknown, sentence: string][] = [
    [[], "features must be an object: features by name, but is a list of 0"],
    [{}, "features must declare at least one feature"],
    [{ a: 1 }, "features.a must be an object, but is 1"],
    [
      { a: { kind: "two" } },
      'features.a.kind must be one of oneHot, multiHot, hashed, cyclic, flag, number, vector, but is "two"',
    ],
    [{ a: { kind: "flag", min: 1 } }, "features.a.min must not be there"],
    [{ a: { kind: "oneHot", values: [] } }, "features.a.values must hold at least one value"],
    [{ a: { kind: "oneHot" } }, "features.a.values must be a list, but is missing"],
    [{ a: { kind: "oneHot", values: ["x", 1] } }, "features.a.values[1] must be a non-empty text, but is 1"],
    [{ a: { kind: "number", min: 1, max: 1 } }, "features.a.max must be above min, 1, but is 1"],
    [{ a: { kind: "number", min: "0", max: 1 } }, 'features.a.min must be a finite number, but is "0"'],
    [{ a: { kind: "vector", dimension: 0 } }, "features.a.dimension must be a whole number from 1 to 4096, but is 0"],
    [
      { a: { kind: "vector", dimension: 8, project: true } },
      "features.a.project must be false, or a whole number from 1 to 7, but is true",
    ],
    [{ item: { a: { kind: "flag" } }, cross: [["a", "b"]] }, 'features.cross[0][1] must be one of a, but is "b"'],
    [{ item: { a: { kind: "flag" } }, context: [] }, "features.context must be an object: features by name"],
    [{ item: { a: { kind: "flag" } }, contexts: {} }, "features.contexts must not be there"],
    [{ bias: { kind: "flag" } }, "features.bias must have another name"],
  ];
  it.each(wrong)("%j is refused", (file, sentence) => {
    expect(() => parseFeatures(file)).toThrow(sentence);
  });
});

describe("a policy on the command line", () => {
  it("is a name, or JSON with options", () => {
    expect(readPolicy("--policy", "dccb").kind).toBe("dccb");
    expect(readPolicy("--policy", '{"kind":"dccb","weight":"mean"}').options).toMatchObject({ weight: "mean" });
  });

  const wrong: [text: string, sentence: string][] = [
    ["club", '--policy must be one of random, solo, dcb, dccb, kindred, but is "club"'],
    ["round-robin", "--policy must be one of random, solo, dcb, dccb, kindred"],
    ["{", "--policy must be JSON, or one of random, solo, dcb, dccb, kindred"],
    ["{}", "--policy.kind must be one of random, solo, dcb, dccb, kindred, but is missing"],
    ['{"kind":"dccb","weight":"much"}', '--policy.weight must be one of sum, mean, but is "much"'],
    ['{"kind":"kindred","wiew":3}', "--policy.wiew must not be there"],
  ];
  it.each(wrong)("%s is refused", (text, sentence) => {
    expect(() => readPolicy("--policy", text)).toThrow(sentence);
  });
});
