import { describe, expect, it } from "vitest";
import { kindred } from "../policies/kindred.ts";
import { random as uniformly } from "../policies/random.ts";
import { solo } from "../policies/solo.ts";
import type { ChoiceEntry, LogEntry } from "./entry.ts";
import { evaluate } from "./evaluate.ts";
import { OverlapError } from "./overlap.ts";
import { always, visits, worthOf } from "./testing/shop.ts";

const log = visits({ choices: 2000, seed: 1 });
const uniform = worthOf(() => [1 / 3, 1 / 3, 1 / 3]);

describe("what other policies would have earned", () => {
  it.each([
    ["uniform", "uniform", uniform],
    ["the first of each list", "first", worthOf(() => [1, 0, 0])],
    ["always the cup, where there is one", { item: "cup" }, worthOf(always("cup"))],
    ["a function", { name: "last", probabilities: () => [0, 0.5, 0.5] }, worthOf(() => [0, 0.5, 0.5])],
  ] as const)("%s: all three estimates lie within four errors of the truth", (_, target, truth) => {
    const [report] = evaluate(log, { targets: [target] }).targets;
    for (const { value, error } of [report!.ips, report!.snips, report!.dr]) {
      expect(error).toBeGreaterThan(0);
      expect(error).toBeLessThan(0.06);
      expect(Math.abs(value - truth)).toBeLessThan(4 * error);
    }
    expect(report!.notes).toEqual([]);
  });

  it("says what was earned, in how many choices, and how a target compares with that", () => {
    const { earned, choices, rewarded, unrewarded, waiting, units, targets } = evaluate(log, { targets: ["uniform"] });
    const usual = worthOf((menu) => [0, 1, 2].map((k) => (k === [1, 2, 1, 0][menu] ? 0.8 : 0.1)));
    expect(Math.abs(earned!.value - usual)).toBeLessThan(4 * earned!.error);
    expect({ choices, rewarded, unrewarded, waiting, units }).toEqual({
      choices: 2000,
      rewarded: 2000,
      unrewarded: 0,
      waiting: 0,
      units: 2000,
    });
    expect(targets[0]!.gain.value).toBeCloseTo(targets[0]!.dr.value - earned!.value, 12);
    expect(Math.abs(targets[0]!.gain.value - (uniform - usual))).toBeLessThan(4 * targets[0]!.gain.error);
    // Uniform agrees with a third of them, on average.
    expect(targets[0]!.agreement).toBeCloseTo(1 / 3, 12);
  });

  it("a model makes the doubly robust estimate the narrowest", () => {
    const [{ ips, dr }] = evaluate(log).targets as [ReturnType<typeof evaluate>["targets"][number]];
    expect(dr.error).toBeLessThan(0.9 * ips.error);
  });

  it("a linear model is judged by the half that it was not fitted to, and does better than what was logged", () => {
    const [report] = evaluate(log, { targets: ["linear"] }).targets;
    expect(report!.choices).toBe(1000);
    expect(report!.gain.low).toBeGreaterThan(0);
  });

  it("peers' policies learn from the log as it goes", () => {
    const { targets } = evaluate(log.slice(0, 1600), { targets: [solo(), kindred(), uniformly()] });
    expect(targets.map(({ target }) => target)).toEqual(["solo", "kindred", "random"]);
    const [alone, kind, any] = targets;
    expect(alone!.dr.value).toBeGreaterThan(any!.dr.value + 0.05);
    expect(kind!.dr.value).toBeGreaterThan(any!.dr.value + 0.05);
    expect(Math.abs(any!.dr.value - uniform)).toBeLessThan(4 * any!.dr.error);
  });

  it("rewards that come late change the order in which is learnt, not what is counted", () => {
    const late = [...log.filter(({ kind }) => kind === "choice"), ...log.filter(({ kind }) => kind !== "choice")];
    const [now, then] = [log, late].map((entries) => evaluate(entries, { targets: ["uniform"] }).targets[0]!);
    expect(then!.ips.value).toBeCloseTo(now!.ips.value, 12);
    // No reward had come before any choice, so the model had nothing to say.
    expect(then!.dr.value).toBeCloseTo(then!.ips.value, 12);
  });

  it("choices that expired count by their fallback, or not at all; others wait", () => {
    const outcomes = log.map((entry): LogEntry => {
      if (entry.kind === "choice") return entry;
      return entry.reward === 1 ? entry : { ...entry, kind: "expired", reward: entry.at % 2000 === 0 ? 0 : null };
    });
    const { rewarded, unrewarded, waiting, strangers } = evaluate(outcomes.slice(1, -1), { targets: [] });
    expect(rewarded + unrewarded).toBe(1998);
    expect(unrewarded).toBeGreaterThan(250);
    expect([waiting, strangers]).toEqual([1, 1]);
  });

  it("intervals count visitors, not choices", () => {
    const byVisitor = log.map((entry) =>
      entry.kind === "choice" ? { ...entry, unit: `v${entry.at % 40_000}` } : entry,
    );
    const { units, targets } = evaluate(byVisitor);
    expect(units).toBe(40);
    expect(targets[0]!.dr.value).toBe(evaluate(log).targets[0]!.dr.value);
    expect(targets[0]!.dr.error).not.toBe(evaluate(log).targets[0]!.dr.error);
  });

  it("rewards in another unit give the same in that unit", () => {
    const cents = log.map((entry) => (entry.kind === "choice" ? entry : { ...entry, reward: 250 * entry.reward! }));
    const [one, other] = [log, cents].map((entries) => evaluate(entries).targets[0]!.dr);
    expect(other!.value).toBeCloseTo(250 * one!.value, 9);
    expect(other!.error).toBeCloseTo(250 * one!.error, 9);
  });
});

describe("a log that cannot tell", () => {
  const caught = (entries: readonly LogEntry[], targets: Parameters<typeof evaluate>[1] = {}): OverlapError => {
    try {
      evaluate(entries, targets);
    } catch (error) {
      if (error instanceof OverlapError) return error;
      throw error;
    }
    throw new Error("was answered");
  };

  it("without propensities is refused, and the option named; what was earned is said all the same", () => {
    const silent = visits({ choices: 100, seed: 1, floor: 0 });
    expect(caught(silent)).toMatchObject({ target: "uniform", choices: 100, of: 100, option: "explore.floor" });
    expect(caught(silent).message).toBe(
      "uniform cannot be evaluated with this log: none of its 100 choices has a propensity; set explore.floor above 0 (--explore-floor), and log anew",
    );
    expect(evaluate(silent, { targets: [] }).earned!.value).toBeGreaterThan(0);
  });

  it("in which an item had no chance is refused for a target that would choose it, and for no other", () => {
    const certain = visits({ choices: 100, seed: 1, floor: 0 }).map((entry) =>
      entry.kind === "choice"
        ? { ...entry, propensity: 1, propensities: entry.items.map((_, k) => (k === entry.chosen ? 1 : 0)) }
        : entry,
    );
    expect(caught(certain)).toMatchObject({ choices: 100, of: 100 });
    const same = { name: "same", probabilities: ({ entry }: { entry: ChoiceEntry }) => entry.propensities! };
    expect(evaluate(certain, { targets: [same] }).targets[0]!.dr.value).toBeCloseTo(
      evaluate(certain, { targets: [] }).earned!.value,
      12,
    );
  });

  it("in which nothing agrees with the target is refused: 0 would be no answer", () => {
    const other = {
      name: "other",
      probabilities: ({ entry }: { entry: ChoiceEntry }) =>
        entry.items.map((_, k) => (k === (entry.chosen + 1) % 3 ? 1 : 0)),
    };
    expect(caught(log, { targets: [other] }).message).toContain("agrees with none of the 2000 choices");
  });

  it("leaves out choices without a propensity where others have one, and says so", () => {
    const some = log.map((entry, k) => {
      if (entry.kind !== "choice" || k > 1000) return entry;
      const { propensities: _, ...rest } = entry;
      return { ...rest, propensity: null };
    });
    const [report] = evaluate(some).targets;
    expect(report!.choices).toBe(1499);
    expect(report!.notes).toEqual(["501 choices without a propensity were left out"]);
  });

  it("with wrong propensities, or few choices, warns", () => {
    const wrong = log.map((entry) => {
      if (entry.kind !== "choice") return entry;
      const { propensities: _, ...rest } = entry;
      return { ...rest, propensity: 0.5 };
    });
    expect(evaluate(wrong).targets[0]!.notes).toEqual([
      "weights are 0.667 on average where 1 is expected: the propensities look wrong",
    ]);
    const swapped = log.map((entry) => {
      if (entry.kind !== "choice") return entry;
      const propensities = entry.items.map((_, k) => (k === entry.chosen ? 0.4 : 0.3));
      return { ...entry, propensity: 0.4, propensities };
    });
    expect(evaluate(swapped).targets[0]!.notes[0]).toContain("the propensities look wrong");
    const [short] = evaluate(log.slice(0, 40)).targets;
    expect(short!.notes[0]).toMatch(/^only \d+\.\d effective choices/);
  });

  it("does not warn where only a rare and heavy choice is missing by chance", () => {
    // The target takes the usual item and, in one menu of a hundred, another one, of weight 10, that was never drawn there.
    let k = 0;
    const rare = {
      name: "rare",
      probabilities: ({ entry }: { entry: ChoiceEntry }) => {
        const usual = entry.propensities!.indexOf(Math.max(...entry.propensities!));
        const other = k++ % 100 === 0 && entry.chosen === usual ? (usual + 1) % 3 : usual;
        return entry.items.map((_, item) => (item === other ? 1 : 0));
      },
    };
    const { notes, agreement } = evaluate(log, { targets: [rare] }).targets[0]!;
    expect(agreement).toBeLessThan(0.81);
    expect(notes).toEqual([]);
  });

  it.each([
    [[0.5, 0.5], "probabilities of mine must be 3, one for each item"],
    [[0.5, 0.5, 0.5], "probabilities of mine must be 1 together"],
    [[2, -1, 0], "probabilities of mine[0] must be a number from 0 to 1"],
    [[Number.NaN, 1, 0], "probabilities of mine[0] must be a number from 0 to 1"],
  ])("a target that is no distribution is refused: %j", (pi, message) => {
    expect(() => evaluate(log, { targets: [{ name: "mine", probabilities: () => pi }] })).toThrow(message);
  });

  it("an id that two choices have, an unknown target, and a confidence of 1 are refused", () => {
    expect(() => evaluate([...log, ...log])).toThrow('id must belong to one choice only, but is "visit 0"');
    // @ts-expect-error no such target
    expect(() => evaluate(log, { targets: ["best"] })).toThrow("target must be one of uniform, first");
    expect(() => evaluate(log, { confidence: 1 })).toThrow("confidence must lie strictly between 0 and 1");
    expect(() => evaluate([])).toThrow("choices that uniform can be judged by must be at least 2");
  });
});
