import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { replay, type TraceAnswer } from "./replay.ts";
import { parseTrace } from "./trace.ts";

const folder = new URL("../testing/fixtures/traces/", import.meta.url);
const names = readdirSync(folder)
  .filter((name) => !name.endsWith(".expected.json"))
  .map((name) => name.slice(0, -".json".length));
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

describe("replay", () => {
  it("has traces to replay", () => expect(names.length).toBeGreaterThanOrEqual(13));

  it.each(names)("%s replays to its answer", (name) => {
    const answer = replay(parseTrace(read(`${name}.json`)));
    const expected = read(`${name}.expected.json`) as TraceAnswer;
    expect(answer.rounds).toEqual(expected.rounds);
    expect(answer.final.length).toBe(expected.final.length);
    answer.final.forEach((pair, i) => {
      const wanted = expected.final[i]!;
      const numbers = [...wanted.gram.flat(), ...wanted.moment];
      const tolerance = 1e-6 * (1 + Math.max(...numbers.map(Math.abs)));
      [...pair.gram.flat(), ...pair.moment].forEach((value, k) => {
        expect(Math.abs(value - numbers[k]!)).toBeLessThanOrEqual(tolerance);
      });
    });
  });
});
