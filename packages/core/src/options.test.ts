import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "./errors.ts";
import { parsePolicy, policyKinds } from "./policies/parse.ts";
import { names, refusal } from "./testing/refused.ts";
import { thousands } from "./testing/thousands.ts";

const notNumber = fc.oneof(
  fc.constantFrom<unknown[]>(Number.NaN, Infinity, -Infinity, null, true, "1", "", [], {}, [1], 3n),
  fc.string(),
);
const negative = fc.double({ max: 0, maxExcluded: true, noNaN: true }).filter((x) => x < 0);
const below0 = fc.oneof(notNumber, negative);
const outside01 = fc.oneof(notNumber, negative, fc.constantFrom(0, 1), fc.double({ min: 1, noNaN: true }));
const notObject = fc.constantFrom<unknown[]>(null, 1, "practical", true, [], [1]);
const notOneOf = (...names: string[]) =>
  fc.oneof(fc.string(), fc.constantFrom<unknown[]>(null, 1, true, [], {})).filter((x) => !names.includes(x as string));

const theory = { kind: "theory", norm: 1, noise: 0.5, delta: 0.1 };
const far = { kind: "theory", lambda: 0.3, noise: 0.5, delta: 0.1 };
const RADIUS = policyKinds.filter((kind) => kind !== "random" && kind !== "kindred");
const CHOICE = policyKinds.filter((kind) => kind !== "random");
const DIFFUSION = ["dcb", "dccb"];
const GRAPH = ["club", "sclub", "cofiba"];
const THRESHOLD = ["dccb"];

/** [policies that have the option, the field that is to be named, its bad values, an entry that holds one]. */
type Case = readonly [readonly string[], string, fc.Arbitrary<unknown>, (bad: unknown) => object];

const CASES: readonly Case[] = [
  [RADIUS, "radius", notObject, (radius) => ({ radius })],
  [RADIUS, "radius.kind", notOneOf("practical", "theory"), (kind) => ({ radius: { kind, alpha: 1 } })],
  [RADIUS, "radius.alpha", below0, (alpha) => ({ radius: { kind: "practical", alpha } })],
  [RADIUS, "radius.norm", below0, (norm) => ({ radius: { ...theory, norm } })],
  [RADIUS, "radius.noise", below0, (noise) => ({ radius: { ...theory, noise } })],
  [RADIUS, "radius.delta", outside01, (delta) => ({ radius: { ...theory, delta } })],
  [RADIUS, "radius.weight", below0, (weight) => ({ radius: { ...theory, weight } })],
  [RADIUS, "radius.norm", fc.anything(), (norm) => ({ radius: { kind: "practical", alpha: 1, norm } })],
  [RADIUS, "radius.alpha", fc.anything(), (alpha) => ({ radius: { ...theory, alpha } })],
  [CHOICE, "choice", notOneOf("optimistic", "thompson"), (choice) => ({ choice })],
  [[...GRAPH, ...THRESHOLD], "threshold", notObject, (threshold) => ({ threshold })],
  [[...GRAPH, ...THRESHOLD], "threshold.factor", below0, (factor) => ({ threshold: { kind: "practical", factor } })],
  [THRESHOLD, "threshold.lambda", below0, (lambda) => ({ threshold: { ...far, lambda } })],
  [THRESHOLD, "threshold.noise", below0, (noise) => ({ threshold: { ...far, noise } })],
  [THRESHOLD, "threshold.delta", outside01, (delta) => ({ threshold: { ...far, delta } })],
  [GRAPH, "threshold.kind", fc.constant("theory"), () => ({ threshold: far })],
  [DIFFUSION, "delay", notObject, (delay) => ({ delay })],
  [DIFFUSION, "delay.rounds", below0, (rounds) => ({ delay: { rounds } })],
  [DIFFUSION, "delay.factor", below0, (factor) => ({ delay: { factor } })],
  [
    DIFFUSION,
    "delay.factor",
    fc.anything().filter((x) => x !== undefined),
    (factor) => ({ delay: { rounds: 2, factor } }),
  ],
  [DIFFUSION, "delay.networkExponent", below0, (networkExponent) => ({ delay: { factor: 1, networkExponent } })],
  [DIFFUSION, "weight", notOneOf("sum", "mean"), (weight) => ({ weight })],
  [DIFFUSION, "buffer", notOneOf("slots", "epoch"), (buffer) => ({ buffer })],
  [
    DIFFUSION,
    "bridge",
    fc.anything().filter((x) => typeof x !== "boolean" && x !== undefined),
    (bridge) => ({ bridge }),
  ],
  [DIFFUSION, "pairing", notOneOf("permutation", "matching", "neighbours", "asynchronous"), (pairing) => ({ pairing })],
  [["kindred"], "explore", below0, (explore) => ({ explore })],
  [["kindred"], "view", fc.oneof(below0, fc.constantFrom(0, 0.5, 5000)), (view) => ({ view })],
  [["kindred"], "budget", fc.oneof(below0, fc.constantFrom(0, 1.5, 5000)), (budget) => ({ budget })],
  [["kindred"], "growth", fc.oneof(below0, fc.constantFrom(1, 100, 0.5)), (growth) => ({ growth })],
  [
    ["kindred"],
    "guard",
    fc.anything().filter((x) => typeof x !== "boolean" && x !== undefined),
    (guard) => ({ guard }),
  ],
  [["sclub"], "frequency", below0, (frequency) => ({ frequency })],
  [["cofiba"], "items", fc.oneof(below0, fc.constantFrom(0, 0.5, 1e12)), (items) => ({ items })],
  [["dccb"], "sharing", notOneOf("equal", "mutual"), (sharing) => ({ sharing })],
];

function refused(entry: Record<string, unknown>, field: string, value: unknown): void {
  const error = refusal(ConfigError, () => parsePolicy("policies[2]", entry));
  names(error, `policies[2].${field}`);
  if (!Object.is(error.value, value)) throw new Error(`another value: ${error.message}`);
}

describe("options of a policy", () => {
  it.each(CASES.map(([kinds, field, bad, entry]) => [field, kinds, bad, entry] as const))(
    "%s of %j",
    (field, kinds, bad, entry) => {
      const property = fc.property(fc.constantFrom(...kinds), bad, (kind, value) =>
        refused({ kind, ...entry(value) }, field, value),
      );
      fc.assert(property, thousands);
    },
  );

  it("an unknown field is named, with those that are known", () => {
    const known = [
      "kind",
      "radius",
      "choice",
      "delay",
      "weight",
      "buffer",
      "bridge",
      "pairing",
      "threshold",
      "sharing",
    ];
    const unknown = fc.string({ minLength: 1 }).filter((name) => !known.includes(name));
    const property = fc.property(fc.constantFrom(...policyKinds), unknown, fc.anything(), (kind, name, value) => {
      refused(
        Object.fromEntries([
          ["kind", kind],
          [name, value],
        ]),
        name,
        value,
      );
    });
    fc.assert(property, thousands);
    expect(() => parsePolicy("p", { kind: "solo", alfa: 1 })).toThrow(/\(known here: radius, choice\)/);
  });

  it("an option of another policy is unknown too", () => {
    for (const kind of ["random", "solo", "pooled", "oracle", "round-robin"])
      refused({ kind, weight: "sum" }, "weight", "sum");
    refused({ kind: "dcb", sharing: "equal" }, "sharing", "equal");
    refused({ kind: "random", choice: "thompson" }, "choice", "thompson");
  });

  it("an unknown policy is refused, and every known one is made with its defaults", () => {
    const property = fc.property(notOneOf(...policyKinds), (kind) => refused({ kind }, "kind", kind));
    fc.assert(property, thousands);
    for (const kind of policyKinds) expect(parsePolicy("p", { kind }).kind).toBe(kind);
  });
});
