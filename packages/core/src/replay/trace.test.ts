import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { refusal } from "../testing/refused.ts";
import { thousands } from "../testing/thousands.ts";
import { replay } from "./replay.ts";
import { ALGORITHMS, parseTrace } from "./trace.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A trace with everything in it: three peers, two features, four rounds. */
function good(algorithm = "dccb"): Json {
  return {
    algorithm,
    peers: 3,
    dimension: 2,
    parameters: {
      radius: { kind: "practical", alpha: 0.4 },
      delay: { factor: 4, networkExponent: 1.5 },
      weight: "mean",
      threshold: { kind: "practical", factor: 0.8 },
    },
    rounds: Array.from({ length: 4 }, (_, t) => ({
      arms: [
        [[0.5, t / 10]],
        [
          [0, 1],
          [0.6, -0.8],
        ],
        [
          [0.1, 0.2],
          [0.3, 0.4],
          [-1, 0],
        ],
      ],
      rewards: [[1], [0.5, -2], [0, 7, t]],
      partners: [1, 2, 0],
    })),
  };
}

type Path = readonly (string | number)[];

/** As errors write a place: rounds[3].arms[0][2]. */
const write = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");

function at(document: Json, path: Path): Json {
  return path.reduce((node, part) => (node as { [part: string]: Json })[part]!, document);
}

function put(document: Json, path: Path, value: Json | undefined): Json {
  const parent = at(document, path.slice(0, -1)) as { [part: string]: Json };
  const last = path.at(-1)!;
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return document;
}

const refused = (document: unknown): ConfigError => refusal(ConfigError, () => parseTrace(document));

const theory = { kind: "theory", norm: 1, noise: 0.2, delta: 0.05 };
const far = { kind: "theory", lambda: 0.3, noise: 0.2, delta: 0.05 };

describe("a bad trace is refused and its place named", () => {
  /** [what is put, where, the place that is named if it is another]. */
  const CASES: readonly (readonly [Json | undefined, Path, string?])[] = [
    // The wrong kind of thing, at every level.
    ["linucb", ["algorithm"]],
    [undefined, ["algorithm"]],
    ["3", ["peers"]],
    [0, ["peers"]],
    [2.5, ["peers"]],
    [0, ["dimension"]],
    [-2, ["dimension"]],
    [[], ["parameters"]],
    [undefined, ["parameters"]],
    [{}, ["rounds"]],
    [[], ["rounds"]],
    [null, ["rounds", 3]],
    [undefined, ["rounds", 1, "arms"]],
    [undefined, ["rounds", 1, "rewards"]],
    [undefined, ["rounds", 1, "partners"]],
    // Unknown fields, at every level.
    [1, ["seed"]],
    [1, ["parameters", "bridge"]],
    [1, ["parameters", "radius", "beta"]],
    [1, ["parameters", "radius", "noise"]],
    [1, ["parameters", "delay", "slots"]],
    [1, ["parameters", "threshold", "lambda"]],
    [1, ["rounds", 2, "choices"]],
    // Parameters.
    [undefined, ["parameters", "radius"]],
    [undefined, ["parameters", "delay"]],
    [undefined, ["parameters", "threshold"]],
    [-0.1, ["parameters", "radius", "alpha"]],
    ["0.4", ["parameters", "radius", "alpha"]],
    [undefined, ["parameters", "radius", "alpha"]],
    ["ucb", ["parameters", "radius", "kind"]],
    [{ ...theory, norm: -1 }, ["parameters", "radius"], "parameters.radius.norm"],
    [{ ...theory, noise: -1 }, ["parameters", "radius"], "parameters.radius.noise"],
    [{ ...theory, delta: 0 }, ["parameters", "radius"], "parameters.radius.delta"],
    [{ ...theory, delta: 1 }, ["parameters", "radius"], "parameters.radius.delta"],
    [{ ...theory, weight: -1 }, ["parameters", "radius"], "parameters.radius.weight"],
    [8, ["parameters", "delay"]],
    [{}, ["parameters", "delay"], "parameters.delay.factor"],
    [-4, ["parameters", "delay", "factor"]],
    [-1, ["parameters", "delay", "networkExponent"]],
    [undefined, ["parameters", "delay", "networkExponent"]],
    [8, ["parameters", "delay", "rounds"], "parameters.delay.factor"],
    [{ rounds: -1 }, ["parameters", "delay"], "parameters.delay.rounds"],
    [{ rounds: "8" }, ["parameters", "delay"], "parameters.delay.rounds"],
    ["total", ["parameters", "weight"]],
    [null, ["parameters", "weight"]],
    [-1, ["parameters", "threshold", "factor"]],
    [{ ...far, delta: 1.5 }, ["parameters", "threshold"], "parameters.threshold.delta"],
    [{ ...far, noise: -0.2 }, ["parameters", "threshold"], "parameters.threshold.noise"],
    [{ ...far, lambda: -0.2 }, ["parameters", "threshold"], "parameters.threshold.lambda"],
    // Rounds.
    [undefined, ["rounds", 0, "arms", 2], "rounds[0].arms"],
    [[], ["rounds", 3, "arms", 0]],
    [undefined, ["rounds", 3, "arms", 1, 0, 1], "rounds[3].arms[1][0]"],
    [
      [0.1, 0.2, 0.3],
      ["rounds", 3, "arms", 2, 1],
    ],
    [0.1, ["rounds", 3, "arms", 0, 0]],
    ["0.1", ["rounds", 3, "arms", 0, 0, 1]],
    [null, ["rounds", 3, "arms", 0, 0, 1]],
    [Number.NaN, ["rounds", 3, "arms", 2, 0, 0]],
    [-Infinity, ["rounds", 3, "arms", 2, 0, 0]],
    [
      [0.8, 0.7],
      ["rounds", 3, "arms", 2, 1],
    ],
    [1.00001, ["rounds", 3, "arms", 1, 0, 1], "rounds[3].arms[1][0]"],
    [[1], ["rounds", 2, "rewards", 1]],
    [
      [1, 2, 3, 4],
      ["rounds", 2, "rewards", 2],
    ],
    [
      [[1], [1, 1]],
      ["rounds", 2, "rewards"],
    ],
    ["1", ["rounds", 2, "rewards", 1, 1]],
    [Infinity, ["rounds", 2, "rewards", 1, 1]],
    [
      [0, 1],
      ["rounds", 2, "partners"],
    ],
    [
      [0, 1, 2, 3],
      ["rounds", 2, "partners"],
    ],
    [1, ["rounds", 2, "partners", 1]],
    [3, ["rounds", 2, "partners", 1]],
    [-1, ["rounds", 2, "partners", 1]],
    [0.5, ["rounds", 2, "partners", 1]],
    ["2", ["rounds", 2, "partners", 1]],
  ];

  it.each(CASES.map(([value, path, named]) => [write(path), value, path, named] as const))(
    "%s: %j",
    (place, value, path, named) => {
      const error = refused(put(good(), path, value));
      expect(error.field).toBe(named ?? place);
    },
  );

  it.each([null, 1, "x", [], undefined])("a document that is %j", (document) => {
    expect(refused(document).field).toBe("the document");
  });

  it("a threshold of theory for club, which has none", () => {
    expect(refused(put(good("club"), ["parameters", "threshold"], far)).field).toBe("parameters.threshold.kind");
  });

  it("a parameter the algorithm does not use, when it is there and wrong", () => {
    for (const algorithm of ["solo", "pooled", "club"]) {
      const partners = put(good(algorithm), ["rounds", 1, "partners", 0], 2);
      expect(refused(partners).field).toBe("rounds[1].partners[1]");
      expect(refused(put(good(algorithm), ["parameters", "delay", "factor"], -1)).field).toBe(
        "parameters.delay.factor",
      );
      expect(refused(put(good(algorithm), ["parameters", "weight"], "x")).field).toBe("parameters.weight");
    }
    expect(refused(put(good("dcb"), ["parameters", "threshold", "factor"], -1)).field).toBe(
      "parameters.threshold.factor",
    );
  });
});

describe("a good trace is taken", () => {
  it.each(ALGORITHMS)("%s, with everything", (algorithm) => {
    const trace = parseTrace(good(algorithm));
    expect(trace).toMatchObject({ algorithm, peers: 3, dimension: 2 });
    expect(trace.rounds[2]!.offers.map(({ count }) => count)).toEqual([1, 2, 3]);
    expect(Array.from(trace.rounds[2]!.offers[1]!.values)).toEqual([0, 1, 0.6, -0.8]);
    expect(Array.from(trace.rounds[2]!.offers[2]!.rewards)).toEqual([0, 7, 2]);
    expect(Array.from(trace.rounds[2]!.partners)).toEqual([1, 2, 0]);
  });

  it("without what its algorithm does not use", () => {
    const solo = put(put(good("solo"), ["parameters"], { radius: theory }), ["rounds", 0, "partners"], undefined);
    expect(parseTrace(solo).parameters).toMatchObject({ radius: { ...theory, weight: 1 }, weight: "sum" });
    const fixed = put(good("dcb"), ["parameters"], { radius: theory, delay: { rounds: 8 } });
    expect(parseTrace(fixed).parameters).toMatchObject({ delay: { rounds: 8 }, weight: "sum" });
  });
});

describe("any change to a good trace", () => {
  /** Every place of a document, the document itself left out. */
  const places = (node: Json, path: Path = []): Path[] => {
    if (typeof node !== "object" || node === null) return [path];
    const parts = Array.isArray(node) ? node.map((_, k) => k) : Object.keys(node);
    const below = parts.flatMap((part) => places(at(node, [part]), [...path, part]));
    return path.length === 0 ? below : [path, ...below];
  };

  const anything = fc.oneof(
    fc.constantFrom<Json[]>(null, true, "", "sum", "theory", "solo", -1, 0, 1, 2, 0.5, 1e9, Number.NaN, Infinity),
    fc.constantFrom<Json[]>([], {}, [1], [[1]], { rounds: 3 }, { kind: "practical" }),
    fc.double(),
  );

  /** Two places that a check compares with one another: whichever is wrong, the other may be the one that is named. */
  const peersOf = /^rounds\[\d+\]\.(arms|rewards)/;
  function near(named: string, changed: string): boolean {
    if (named.startsWith(changed) || changed.startsWith(named)) return true;
    const parent = (place: string) => place.replace(/(\.\w+|\[\d+\])$/, "");
    if (parent(named) === parent(changed)) return true;
    // As many rewards as arms.
    if (peersOf.test(changed) && changed.replace(".arms", ".rewards").startsWith(named)) return true;
    // The head of the trace says what the rest must look like.
    return ["algorithm", "peers", "dimension"].includes(changed);
  }

  it("leaves it a trace, or is refused near the place that was changed", () => {
    const seen = { taken: 0, refused: 0 };
    const change = fc.record({
      algorithm: fc.constantFrom(...ALGORITHMS),
      place: fc.nat(),
      deed: fc.constantFrom("replace", "remove", "add"),
      value: anything,
    });
    const property = fc.property(change, ({ algorithm, place, deed, value }) => {
      const document = good(algorithm);
      const all = places(document);
      const path = all[place % all.length]!;
      const node = at(document, path);
      if (deed === "add" && typeof node === "object" && node !== null) {
        put(document, [...path, Array.isArray(node) ? node.length : "extra"], value);
      } else put(document, path, deed === "remove" ? undefined : value);
      try {
        replay(parseTrace(document));
        seen.taken += 1;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        expect([error.field, near(error.field, write(path))]).toEqual([error.field, true]);
        seen.refused += 1;
      }
    });
    fc.assert(property, { ...thousands, numRuns: 5000 });
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(300);
  });
});
