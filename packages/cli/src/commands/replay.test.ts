import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../core/src/testing/fixtures/traces/${name}`, import.meta.url));
const folder = scratch();
afterAll(folder.remove);

describe("coterie replay", () => {
  it("prints the answer and nothing else", async () => {
    const { code, out, err } = await coterie(["replay", fixture("dccb-sum.json")]);
    const expected = JSON.parse(readFileSync(fixture("dccb-sum.expected.json"), "utf8"));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out).rounds).toEqual(expected.rounds);
  });

  it("refuses what is not a trace with the file, the place, the value and the bound, and exit code 2", async () => {
    const trace = JSON.parse(readFileSync(fixture("solo.json"), "utf8"));
    trace.rounds[3].arms[0][2][1] = "x";
    const file = folder.json("bad.json", trace);
    const { code, out, err } = await refused(["replay", file]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(`coterie: ${file}: rounds[3].arms[0][2][1] must be a finite number, but is "x"\n`);
  });

  it.each([
    ["a file that is not there", "nowhere.json", /nowhere\.json must be a file that can be read, but is missing/],
    ["a file that is not JSON", fileURLToPath(import.meta.url), /must be JSON/],
  ])("refuses %s", async (_, file, sentence) => {
    const { code, err } = await refused(["replay", file]);
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
  });
});

describe("coterie", () => {
  it("helps, and names the commands that there are", async () => {
    const { code, out } = await coterie(["--help"]);
    expect(code).toBe(0);
    for (const name of ["run", "report", "data", "replay"]) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  it.each([
    [["nonsense"]],
    [["replay"]],
    [["replay", "a", "b"]],
    [["run", "quick", "--jobs", "x"]],
    [["run", "--nonsense"]],
  ])("answers %j with exit code 2 and a sentence on standard error", async (args) => {
    const { code, out, err } = await refused(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.trim().length).toBeGreaterThan(10);
  });
});
