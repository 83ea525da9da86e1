import { afterAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const files = scratch();
afterAll(() => files.remove());

describe("coterie bench", () => {
  it("prints whole rounds by engine as JSON", async () => {
    const { code, out } = await coterie(["bench", "rounds", "--seconds", "0.05", "--json"]);
    expect(code).toBe(0);
    const { rows, ...rest } = JSON.parse(out);
    expect(rest).toEqual({});
    expect(rows.map(({ engines: _, ...size }: { engines: object }) => size)).toEqual([
      { V: 100, d: 25, K: 25, L: 93 },
      { V: 1000, d: 10, K: 10, L: 100 },
    ]);
    for (const { engines } of rows) {
      expect(Object.keys(engines)).toEqual(["plain", "lazy"]);
      for (const time of Object.values(engines)) expect(time).toBeGreaterThan(0);
    }
  });

  it("keeps ratios, compares with them, and fails where one is lost", async () => {
    const kept = files.path("kept.json");
    const run = ["bench", "choose", "--seconds", "0.05"];
    const first = await coterie([...run, "--save", kept]);
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/choose, d=25 K=25, kernels +\S+ ns {3}\S+ times plain/);
    const ratios = { "choose, d=25 K=25, kernels": 1e6 };
    const better = files.json("better.json", { format: 1, version: "0", ratios });
    const lost = await coterie([...run, "--compare", better]);
    expect(lost.code).toBe(3);
    expect(lost.err).toMatch(/choose, d=25 K=25, kernels fell from 1000000.00 to /);
    const easy = files.json("easy.json", { format: 1, version: "0", ratios: { "choose, d=25 K=25, kernels": 0.01 } });
    expect((await coterie([...run, "--compare", easy])).code).toBe(0);
  });

  it.each([
    [
      ["bench", "nothing"],
      /the benchmark must be one of rounds, kernels, codec, choose, exchange, room, but is "nothing"/,
    ],
    [["bench", "choose", "--compare", "no-such-file.json"], /no-such-file\.json/],
  ])("refuses %j", async (args, message) => {
    const { code, err } = await refused(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
