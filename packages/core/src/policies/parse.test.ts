import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { isCentral, parsePolicy, policyKinds } from "./parse.ts";

const PRACTICAL = { kind: "practical", alpha: 0.3 };

describe("a policy from plain data", () => {
  it.each<[string, object]>([
    ["random", {}],
    ["solo", { radius: PRACTICAL, choice: "optimistic" }],
    ["pooled", { radius: PRACTICAL, choice: "optimistic" }],
    ["oracle", { radius: PRACTICAL, choice: "optimistic" }],
    ["round-robin", { radius: PRACTICAL, choice: "optimistic" }],
    ["club", { radius: PRACTICAL, choice: "optimistic", threshold: { kind: "practical", factor: 2 } }],
    [
      "dcb",
      {
        radius: PRACTICAL,
        choice: "optimistic",
        delay: { factor: 4, networkExponent: 1.5 },
        weight: "sum",
        buffer: "slots",
        bridge: false,
        pairing: "matching",
      },
    ],
    [
      "dccb",
      {
        radius: PRACTICAL,
        choice: "optimistic",
        delay: { factor: 4, networkExponent: 0 },
        weight: "sum",
        buffer: "slots",
        bridge: false,
        pairing: "neighbours",
        threshold: { kind: "practical", factor: 2 },
        sharing: "equal",
      },
    ],
  ])("has the published defaults: %s", (kind, options) => {
    const policy = parsePolicy("policies[0]", { kind });
    expect([policy.kind, policy.options]).toEqual([kind, options]);
    expect(isCentral(policy)).toBe(["pooled", "oracle", "club"].includes(kind));
  });

  it("keeps what is given, and fills in what is left out beside it", () => {
    const radius = { kind: "theory", norm: 0, noise: 0.2, delta: 0.5 };
    const { options } = parsePolicy("p", { kind: "dccb", radius, delay: { factor: 0 }, sharing: "mutual" });
    expect(options).toMatchObject({
      radius: { ...radius, weight: 1 },
      delay: { factor: 0, networkExponent: 0 },
      sharing: "mutual",
    });
    expect(parsePolicy("p", { kind: "dcb", delay: { rounds: 0 } }).options).toMatchObject({ delay: { rounds: 0 } });
  });

  it("reads back its own options", () => {
    for (const kind of policyKinds) {
      const { options } = parsePolicy("p", { kind });
      expect(parsePolicy("p", { kind, ...JSON.parse(JSON.stringify(options)) }).options).toEqual(options);
    }
  });

  const theory = { kind: "theory", norm: 1, noise: 0.1, delta: 0.1 };
  it.each<[string, Record<string, unknown>]>([
    ["p.kind", { kind: "ucb" }],
    ["p.kind", {}],
    ["p.kind", { kind: "toString" }],
    ["p.gamma", { kind: "solo", gamma: 1 }],
    ["p.threshold", { kind: "dcb", threshold: { kind: "practical", factor: 1 } }],
    ["p.alpha", { kind: "random", alpha: 1 }],
    ["p.radius", { kind: "solo", radius: 0.3 }],
    ["p.radius.kind", { kind: "solo", radius: { alpha: 0.3 } }],
    ["p.radius.alpha", { kind: "solo", radius: { kind: "practical", alpha: -0.1 } }],
    ["p.radius.alpha", { kind: "solo", radius: { kind: "practical" } }],
    ["p.radius.norm", { kind: "solo", radius: { kind: "practical", alpha: 1, norm: 1 } }],
    ["p.radius.alpha", { kind: "pooled", radius: { ...theory, alpha: 1 } }],
    ["p.radius.delta", { kind: "club", radius: { ...theory, delta: 1 } }],
    ["p.radius.delta", { kind: "club", radius: { ...theory, delta: 0 } }],
    ["p.radius.noise", { kind: "dcb", radius: { ...theory, noise: Number.POSITIVE_INFINITY } }],
    ["p.radius.weight", { kind: "dcb", radius: { ...theory, weight: "1" } }],
    ["p.delay.factor", { kind: "dcb", delay: { networkExponent: 1 } }],
    ["p.delay.factor", { kind: "dcb", delay: { rounds: 3, factor: 1 } }],
    ["p.delay.rounds", { kind: "dcb", delay: { rounds: -1 } }],
    ["p.delay.networkExponent", { kind: "dcb", delay: { factor: 1, networkExponent: Number.NaN } }],
    ["p.threshold.factor", { kind: "dccb", threshold: { kind: "practical", factor: -1 } }],
    ["p.threshold.lambda", { kind: "dccb", threshold: { kind: "theory", noise: 0.1, delta: 0.1 } }],
    ["p.threshold.kind", { kind: "club", threshold: { kind: "theory", lambda: 1, noise: 0.1, delta: 0.1 } }],
    ["p.weight", { kind: "dcb", weight: "total" }],
    ["p.bridge", { kind: "dcb", bridge: 1 }],
    ["p.buffer", { kind: "dccb", buffer: "ring" }],
    ["p.pairing", { kind: "dccb", pairing: "none" }],
    ["p.sharing", { kind: "dccb", sharing: null }],
    ["p.choice", { kind: "round-robin", choice: "greedy" }],
  ])("is refused by the place of the fault: %s in %j", (field, given) => {
    let caught: unknown;
    try {
      parsePolicy("p", given);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ConfigError);
    expect((caught as ConfigError).field).toBe(field);
  });
});
