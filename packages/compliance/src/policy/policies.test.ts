import { dcb, dccb, kindred, type Policy, random, roundRobin, solo } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { ComplianceError, comply } from "../check.ts";
import { policyCompliance } from "./compliance.ts";

const delay = { rounds: 3 };
const threshold = { kind: "practical", factor: 0.5 } as const;

/** Every policy that peers run, as it is and with what changes how it keeps or shares its state. */
const POLICIES: readonly (readonly [string, Policy])[] = [
  ["random", random()],
  ["solo", solo()],
  ["solo, thompson", solo({ choice: "thompson" })],
  ["round-robin", roundRobin()],
  ["dcb", dcb()],
  ["dcb, mean and bridge", dcb({ delay, weight: "mean", bridge: true })],
  ["dccb", dccb({ delay, threshold })],
  ["dccb, mutual and bridge", dccb({ delay, threshold, sharing: "mutual", bridge: true })],
  ["dccb, epoch", dccb({ delay, threshold, buffer: "epoch" })],
  ["kindred", kindred()],
  ["kindred, small view", kindred({ view: 2, budget: 2, choice: "thompson" })],
];

describe.each(POLICIES)("the policy %s", (_, policy) => {
  for (const { name, run } of policyCompliance(policy)) it(name, run);
});

/** Mistakes that authors make, each found by the check that is for it. */
const MISTAKES: readonly (readonly [string, Policy, RegExp])[] = [
  ["options that are not plain data", { ...solo(), options: { when: new Date(0) } }, /^describes itself/],
  ["a codec without meetings", { ...solo(), codec: dcb().codec }, /^describes itself/],
  ["one learner for all", shared(solo()), /^(shares nothing|does the same)/],
  ["a state that is not all written down", forgetful(solo()), /^goes on from a snapshot/],
  ["a choice that learns", eager(solo()), /^chooses one of the arms/],
  ["a decoder that throws anything", careless(dcb({ delay })), /^takes a typed violation/],
  ["frames of another length", { ...dcb({ delay }), codec: { ...dcb().codec!, bytes: () => 7 } }, /^knows how long/],
];

it.each(MISTAKES)("finds %s", async (_, policy, where) => {
  const failure = await comply(policyCompliance(policy)).catch((error) => error);
  expect(failure).toBeInstanceOf(ComplianceError);
  expect(failure.message).toMatch(where);
});

function shared(policy: Policy): Policy {
  const learner = policy.create(3, 4, "all");
  return { ...policy, create: () => learner };
}

function forgetful(policy: Policy): Policy {
  return {
    ...policy,
    create: (...of) => {
      const learner = policy.create(...of);
      const empty = policy.create(...of);
      learner.read = (from) => empty.read(from);
      return learner;
    },
  };
}

function eager(policy: Policy): Policy {
  return {
    ...policy,
    create: (...of) => {
      const learner = policy.create(...of);
      const choose = learner.choose.bind(learner);
      learner.choose = (arms, round, stream) => {
        learner.observe(arms.values, 0, 0.5);
        return choose(arms, round, stream);
      };
      return learner;
    },
  };
}

function careless(policy: Policy): Policy {
  const decode = (): never => {
    throw new RangeError("Offset is outside the bounds of the DataView");
  };
  const codec = policy.codec!;
  return {
    ...policy,
    codec: {
      ...codec,
      decode: (frames, limits) => ((frames[0]?.length ?? 0) < 11 ? decode() : codec.decode(frames, limits)),
    },
  };
}
