import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { parseLine, parseLog } from "./line.ts";
import { visits } from "./testing/shop.ts";

const choice = {
  version: 1,
  kind: "choice",
  id: "a",
  at: 5,
  unit: "visitor 3",
  items: [{ name: "tea", x: { bias: 0.5, price: 0.25 } }, { x: { bias: 0.5 } }],
  chosen: 1,
  propensity: 0.2,
  propensities: [0.8, 0.2],
};
const outcome = { version: 1, kind: "reward", id: "a", at: 9, reward: 1 };

describe("a log", () => {
  it("is one entry a line; blank lines are passed over", () => {
    const text = `${JSON.stringify(choice)}\n\n${JSON.stringify(outcome)}\n`;
    expect(parseLog(text)).toEqual([choice, outcome]);
    expect(parseLog("")).toEqual([]);
  });

  it("comes back as it was written", () => {
    const log = visits({ choices: 20, seed: 3 });
    expect(parseLog(log.map((entry) => JSON.stringify(entry)).join("\n"))).toEqual(log);
  });
});

/** What is wrong with line 7 of log.jsonl. */
function wrong(line: unknown): { field: string; value: unknown; bound: string } {
  try {
    parseLine(typeof line === "string" ? line : JSON.stringify(line), "log.jsonl line 7");
  } catch (error) {
    if (error instanceof ConfigError) return { field: error.field, value: error.value, bound: error.bound };
    throw error;
  }
  throw new Error("was read");
}

describe("a bad line is refused by file, line, field, value and bound", () => {
  it("cut off in the middle", () => {
    const line = JSON.stringify(choice).slice(0, 40);
    const { field, value, bound } = wrong(line);
    expect([field, value]).toEqual(["log.jsonl line 7", line]);
    expect(bound).toMatch(/^be one whole JSON object, not cut off \(.+\)$/);
  });

  it("a number that JSON does not know", () => {
    expect(wrong('{"version":1,"kind":"reward","id":"a","at":9,"reward":NaN}').bound).toContain("NaN");
  });

  it.each<[string, unknown, string, unknown, string]>([
    ["version", { ...choice, version: 2 }, "version", 2, "be 1, the one that is known here"],
    ["kind", { ...choice, kind: "click" }, "kind", "click", "be one of choice, reward, expired"],
    [
      "a reward that is none",
      { ...outcome, reward: null },
      "reward",
      null,
      "be a finite number of at most 1e+100 either way",
    ],
    [
      "a reward beyond numbers",
      { ...outcome, reward: "1" },
      "reward",
      "1",
      "be a finite number of at most 1e+100 either way",
    ],
    ["propensity 0", { ...choice, propensity: 0 }, "propensity", 0, "be a number above 0, at most 1"],
    ["propensity above 1", { ...choice, propensity: 1.5 }, "propensity", 1.5, "be a number above 0, at most 1"],
    [
      "propensity left out",
      { ...choice, propensity: undefined },
      "propensity",
      undefined,
      "be a number above 0, at most 1",
    ],
    [
      "propensities that are not 1",
      { ...choice, propensities: [0.7, 0.2] },
      "propensities",
      "0.8999999999999999 together",
      "be 1 together",
    ],
    ["one below 0", { ...choice, propensities: [1.2, -0.2] }, "propensities[0]", 1.2, "be a number from 0 to 1"],
    ["one too few", { ...choice, propensities: [1] }, "propensities", [1], "be a list of 2"],
    [
      "two that disagree",
      { ...choice, propensities: [0.2, 0.8] },
      "propensities[1]",
      0.8,
      "be the propensity of the chosen item, 0.2",
    ],
    ["chosen", { ...choice, chosen: 2 }, "chosen", 2, "be a whole number from 0 to 1"],
    ["would", { ...choice, would: -1 }, "would", -1, "be a whole number from 0 to 1"],
    ["no items", { ...choice, items: [] }, "items", [], "hold at least one item"],
    ["a coordinate", { ...choice, items: [{ x: { a: "1" } }] }, 'items[0].x["a"]', "1", "be a finite number"],
    ["an item", { ...choice, items: [3] }, "items[0]", 3, "be an object"],
    ["a name", { ...choice, items: [{ name: "", x: {} }] }, "items[0].name", "", "be a non-empty text"],
    ["an id", { ...outcome, id: 3 }, "id", 3, "be a non-empty text"],
    ["a time", { ...outcome, at: "now" }, "at", "now", "be a time in milliseconds since 1970"],
    ["a unit", { ...choice, unit: 3 }, "unit", 3, "be a non-empty text"],
    ["something else", { ...outcome, more: 1 }, "more", 1, "not be there (known here: version, kind, id, at, reward)"],
    ["no object", [1], "the document", [1], "be an object"],
  ])("%s", (_, line, field, value, bound) => {
    expect(wrong(line)).toEqual({ field: `log.jsonl line 7: ${field}`, value, bound });
  });
});
