import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type OracleAnswer, type OracleParameters, type OracleTrace, oracle } from "./oracle.ts";

const fixtures = new URL("./fixtures/traces/", import.meta.url);
const names = readdirSync(fixtures)
  .filter((name) => name.endsWith(".expected.json"))
  .map((name) => name.replace(".expected.json", ""));
const load = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, fixtures), "utf8"));
const loadTrace = (name: string) => load(name) as OracleTrace;

function expectPairs(actual: OracleAnswer["final"], expected: OracleAnswer["final"]) {
  expect(actual.length).toBe(expected.length);
  actual.forEach(({ gram, moment }, i) => {
    for (const [mine, theirs] of [
      [gram.flat(), expected[i].gram.flat()],
      [moment, expected[i].moment],
    ]) {
      const tolerance = 1e-6 * (1 + Math.max(...theirs.map(Math.abs)));
      expect(mine.length).toBe(theirs.length);
      expect(Math.max(...mine.map((value, k) => Math.abs(value - theirs[k])))).toBeLessThanOrEqual(tolerance);
    }
  });
}

describe("the published traces", () => {
  it("are all here", () => expect(names.length).toBe(13));

  it.each(names)("%s", (name) => {
    const answer = oracle(loadTrace(name));
    const expected = load(`${name}.expected`) as OracleAnswer;
    const compared = answer.rounds.map(({ scores, margins, ...rest }) => rest);
    expect(compared).toEqual(expected.rounds);
    expectPairs(answer.final, expected.final);
  });

  it.each(names)("%s is nowhere a near tie", (name) => {
    for (const { scores, margins } of oracle(loadTrace(name)).rounds) {
      for (const margin of margins ?? []) expect(margin).toBeGreaterThan(1e-9);
      for (const [best, second] of scores.map((row) => [...row].sort((a, b) => b - a))) {
        if (second !== undefined) expect(best - second).toBeGreaterThan(1e-9);
      }
    }
  });
});

describe("one policy within another", () => {
  it("oracle with one cluster is pooled", () => {
    const trace = loadTrace("pooled-theory");
    const parameters = { ...trace.parameters, clusters: Array(trace.peers).fill(0) };
    expect(oracle({ ...trace, algorithm: "oracle", parameters })).toEqual(oracle(trace));
  });

  it("dcb without delay and alone is solo", () => {
    const trace = loadTrace("solo");
    const parameters = { ...trace.parameters, delay: { rounds: 0 } };
    const answer = oracle({ ...trace, algorithm: "dcb", parameters });
    expect(answer.rounds.map(({ choices }) => choices)).toEqual(oracle(trace).rounds.map(({ choices }) => choices));
    expect(answer.final).toEqual(oracle(trace).final);
  });

  it.each(["dcb-mean", "dcb-sum-theory", "dcb-fixed"])("dccb that never prunes is dcb: %s", (name) => {
    const trace = loadTrace(name);
    const parameters: OracleParameters = { ...trace.parameters, threshold: { kind: "practical", factor: 1e9 } };
    expect(oracle({ ...trace, algorithm: "dccb", parameters }).final).toEqual(oracle(trace).final);
  });
});
