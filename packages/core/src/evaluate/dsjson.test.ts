import { describe, expect, it } from "vitest";
import { toDsjson } from "./dsjson.ts";
import type { ChoiceEntry, OutcomeEntry } from "./entry.ts";
import { evaluate } from "./evaluate.ts";
import { Joiner } from "./join.ts";
import { parseLine } from "./line.ts";
import { visits } from "./testing/shop.ts";

const choice: ChoiceEntry = {
  version: 1,
  kind: "choice",
  id: "00c0ffee00c0ffee",
  at: 1_627_552_800_999,
  items: [
    { name: "tea", x: { bias: 0.5, "topic=arts": 0.5 } },
    { x: { bias: 0.5 } },
    { name: "jam", x: { bias: 0.5 } },
  ],
  chosen: 1,
  propensity: 0.7,
  propensities: [0.1, 0.7, 0.2],
};
const outcome: OutcomeEntry = { version: 1, kind: "reward", id: choice.id, at: 1_627_552_900_000, reward: 0.25 };

/** Each field as VW documents it: github.com/VowpalWabbit/vowpal_wabbit/wiki/DSJSON and /JSON. */
describe("a decision as dsjson, field by field", () => {
  const line = toDsjson(choice, outcome)!;

  it("has these fields in this order, the label first, as readers that look at a line's beginning expect", () => {
    expect(Object.keys(line)).toEqual([
      ...["_label_cost", "_label_probability", "_label_Action", "_labelIndex"],
      ...["Timestamp", "Version", "EventId", "a", "c", "p", "VWState"],
    ]);
  });

  it("_label_cost is what was lost: minus the reward, and 0 for 0", () => {
    expect(line._label_cost).toBe(-0.25);
    expect(JSON.stringify(toDsjson(choice, { ...outcome, reward: 0 }))).toMatch(/^\{"_label_cost":0,/);
  });

  it("_label_probability is that of the chosen action, above 0 and at most 1", () => {
    expect(line._label_probability).toBe(0.7);
  });

  it("_label_Action counts actions from 1, _labelIndex from 0", () => {
    expect([line._label_Action, line._labelIndex]).toEqual([2, 1]);
  });

  it("Timestamp is year-month-dayThh:mm:ss.sssZ", () => {
    expect(line.Timestamp).toBe("2021-07-29T10:00:00.999Z");
  });

  it("Version is the text 1; EventId names the decision; VWState is there", () => {
    expect(line).toMatchObject({ Version: "1", EventId: "00c0ffee00c0ffee", VWState: { m: "N/A" } });
  });

  it("a lists every action once, from 1, the chosen one first; p has their probabilities in that order", () => {
    expect(line.a).toEqual([2, 1, 3]);
    expect(line.p).toEqual([0.7, 0.1, 0.2]);
    expect(line.p.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 14);
  });

  it("c._multi has one example for each action, in the order of the menu: a tag, and features in a namespace", () => {
    expect(line.c).toEqual({
      _multi: [
        { _tag: "tea", item: { bias: 0.5, "topic=arts": 0.5 } },
        { item: { bias: 0.5 } },
        { _tag: "jam", item: { bias: 0.5 } },
      ],
    });
  });

  it("what VW could not learn from gives no line", () => {
    const { propensities: _, ...rest } = choice;
    expect(toDsjson({ ...rest, propensity: null }, outcome)).toBeNull();
    expect(toDsjson(choice, undefined)).toBeNull();
    expect(toDsjson(choice, { ...outcome, kind: "expired", reward: null })).toBeNull();
    expect(toDsjson(choice, { ...outcome, kind: "expired", reward: 0 })).toMatchObject({ _label_cost: 0 });
  });
});

/** A line as the decision service writes it. */
const theirs = {
  _label_cost: -1,
  _label_probability: 0.8,
  _label_Action: 2,
  _labelIndex: 1,
  o: [{ v: 1, EventId: "e1", ActionTaken: false }],
  Timestamp: "2019-08-13T20:40:28.7880000Z",
  Version: "1",
  EventId: "e1",
  a: [2, 1, 3],
  c: {
    User: [{ tier: "pro", age: 30 }],
    _synthetic: false,
    hour: 7,
    _multi: [{ _tag: "news", i: { constant: 1, id: "news" } }, { i: { fresh: true, sold: false } }, { e: [0.5, 0, 2] }],
  },
  p: [0.8, 0.15, 0.05],
  VWState: { m: "x" },
};
const read = (line: object) => parseLine(JSON.stringify(line), "log line 1");

describe("dsjson of other programs", () => {
  it("is read as a choice and its outcome", () => {
    const [choice, outcome] = read(theirs);
    const shared = { constant: 1, "User.tier=pro": 1, "User.age": 30, hour: 7 };
    expect(choice).toEqual({
      version: 1,
      kind: "choice",
      id: "e1",
      at: 1_565_728_828_788,
      items: [
        { name: "news", x: { ...shared, "i.constant": 1, "i.id=news": 1 } },
        { x: { ...shared, "i.fresh": 1 } },
        { x: { ...shared, "e[0]": 0.5, "e[2]": 2 } },
      ],
      chosen: 1,
      propensity: 0.8,
      propensities: [0.15, 0.8, 0.05],
    });
    expect(outcome).toEqual({ version: 1, kind: "reward", id: "e1", at: 1_565_728_828_788, reward: 1 });
  });

  it("without a label it waits; to be skipped it has no reward; without p only one probability is known", () => {
    const { _label_cost: _, ...unpaid } = theirs;
    expect(read(unpaid).map(({ kind }) => kind)).toEqual(["choice"]);
    expect(read({ ...theirs, _skipLearn: true })[1]).toMatchObject({ kind: "expired", reward: null });
    const { p: __, a: ___, ...short } = theirs;
    expect(read(short)[0]).toMatchObject({ chosen: 1, propensity: 0.8 });
    expect(read(short)[0]).not.toHaveProperty("propensities");
  });

  it.each<[string, object, string]>([
    ["another version", { Version: "2" }, 'Version must be one of 1, but is "2"'],
    ["a probability of 0", { p: [0, 0.95, 0.05] }, "p[0] must be a number above 0, at most 1, but is 0"],
    ["probabilities beyond 1", { p: [0.8, 1.5, -1.3] }, "p[1] must be a number from 0 to 1, but is 1.5"],
    ["probabilities that are not 1", { p: [0.8, 0.1, 0.05] }, "p must be 1 together"],
    [
      "two that disagree",
      { _label_probability: 0.15 },
      "_label_probability must be that of the chosen action in p, 0.8",
    ],
    ["a list too short", { a: [2, 1] }, "a must be a list of 3, the actions of c._multi"],
    ["an action twice", { a: [2, 1, 1] }, "a[2] must name each action once, but is 1"],
    ["an action beyond", { _label_Action: 4 }, "_label_Action must be a whole number from 1 to 3, but is 4"],
    ["two counts that disagree", { _labelIndex: 2 }, "_labelIndex must be one less than _label_Action, 1, but is 2"],
    ["no cost", { _label_cost: null }, "_label_cost must be a finite number"],
    ["a part dropped", { pdrop: 0.5 }, "pdrop must be 0: what was dropped cannot be counted, but is 0.5"],
    ["slates", { c: { ...theirs.c, _slots: [] } }, "c._slots must be left out: only lines of one decision"],
    ["no actions", { c: {} }, "c._multi must be a list, but is missing"],
    ["a time", { Timestamp: "then" }, "Timestamp must be a time in UTC such as"],
  ])("%s: refused by field, value and bound", (_, change, message) => {
    expect(() => read({ ...theirs, ...change })).toThrow(`log line 1: ${message}`);
  });
});

it("a log written as dsjson and read again says the same", () => {
  const log = visits({ choices: 600, seed: 2 });
  const joiner = new Joiner();
  const lines = log.flatMap((entry) => {
    const joined = joiner.add(entry);
    const line = joined === null ? null : toDsjson(joined.choice, joined.outcome);
    return line === null ? [] : [JSON.stringify(line)];
  });
  expect(lines.length).toBe(600);
  const again = lines.flatMap((line, k) => parseLine(line, `line ${k + 1}`));
  const [ours, theirs] = [log, again].map((entries) => evaluate(entries, { targets: ["uniform", { item: "cup" }] }));
  for (const [k, { ips, snips, dr }] of ours!.targets.entries()) {
    expect(theirs!.targets[k]!.ips.value).toBeCloseTo(ips.value, 12);
    expect(theirs!.targets[k]!.snips.error).toBeCloseTo(snips.error, 12);
    // The model has a constant beside the bias, and so a slightly weaker ridge.
    expect(Math.abs(theirs!.targets[k]!.dr.value - dr.value)).toBeLessThan(0.2 * dr.error);
  }
});
