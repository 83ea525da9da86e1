import { describe, expect, it } from "vitest";
import { summarise } from "./summary.ts";
import { tableOf } from "./tables/table.ts";
import { madeResults } from "./testing/results.ts";

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("the summary of a world", () => {
  const results = madeResults();
  const [world] = summarise(results);

  it("has the means of each policy, in the order of the experiment", () => {
    expect(world!.policies.map(({ policy }) => policy)).toEqual(["random", "solo", "dccb, sum", "oracle"]);
    for (const policy of world!.policies) {
      const regrets = results.filter(({ row }) => row.policy === policy.policy).map(({ row }) => row.regret!);
      expect(policy.values.get("regret")!.estimate!.value).toBeCloseTo(meanOf(regrets), 9);
      expect(policy.seeds).toBe(8);
    }
  });

  it("divides bytes by peers and rounds, and keeps what is unknown unknown", () => {
    const bytes = world!.policies.map(({ values }) => values.get("bytes")!.estimate?.value ?? null);
    expect(bytes).toEqual([0, 0, 4000, null]);
  });

  it("marks the best of a measure, but none by luck of some seeds", () => {
    const best = (name: string) =>
      world!.policies.filter(({ values }) => values.get(name)!.best).map(({ kind }) => kind);
    expect(best("regret")).toEqual(["oracle"]);
    expect(best("reward")).toEqual(["oracle"]);
    expect(best("bytes")).toEqual([]);
    expect(best("exactAtRound")).toEqual([]);
    expect(world!.policies[2]!.values.get("exactAtRound")).toMatchObject({ known: 7, of: 8 });
  });

  it("compares with solo over common seeds", () => {
    expect(world!.reference).toBe("solo");
    const { against } = world!.policies[2]!;
    expect(against!.ratio!.value).toBeCloseTo(12 / 20, 1);
    expect(against!.difference.high!).toBeLessThan(0);
    expect(against!.p).toBe(2 / 256);
    expect(world!.policies[1]!.against).toBeNull();
  });

  it("pairs by seed even where some seeds are missing", () => {
    const partial = results.filter(
      ({ row }) => !(row.kind === "dccb" && row.seed < 3) && !(row.kind === "solo" && row.seed > 6),
    );
    const against = summarise(partial)[0]!.policies.find(({ kind }) => kind === "dccb")!.against!;
    expect(against.count).toBe(4);
    const regret = (kind: string, seed: number) =>
      results.find(({ row }) => row.kind === kind && row.seed === seed)!.row.regret!;
    expect(against.difference.value).toBeCloseTo(
      meanOf([3, 4, 5, 6].map((s) => regret("dccb", s) - regret("solo", s))),
      9,
    );
  });

  it("takes the first policy as the reference where there is no solo, and reward where regret is unknown", () => {
    const [other] = summarise(
      madeResults({
        worlds: [{ name: "data", regret: false }],
        policies: [
          { kind: "random", level: 60 },
          { kind: "dccb", level: 12 },
        ],
      }),
    );
    expect(other!.reference).toBe("random");
    expect(other!.primary.name).toBe("reward");
    expect(other!.policies[1]!.against!.difference.value).toBeGreaterThan(0);
  });
});

describe("a table", () => {
  const table = tableOf(summarise(madeResults())[0]!);
  const column = (title: string) =>
    table.rows.map((row) => row[table.columns.findIndex((entry) => entry.title === title)]!);

  it("shows values with intervals, and the best marked", () => {
    expect(table.caption).toBe("40 peers, 1,000 rounds, 8 seeds");
    const regret = column("regret");
    expect(regret[3]).toMatchObject({ best: true });
    expect(regret[3]!.text).toMatch(/^\d+\.?\d*$/);
    expect(regret[3]!.detail).toMatch(/^[\d.]+ to [\d.]+$/);
    expect(column("exact at round")[2]).toMatchObject({ part: "7 of 8" });
    expect(column("bytes per peer and round").map(({ text }) => text)).toEqual(["0 B", "0 B", "4.00 kB", "–"]);
    expect(column("p")[2]!.text).toBe("0.008");
    expect(column("minus solo's")[0]!.text).toMatch(/^\+/);
    expect(column("minus solo's")[3]!.text).toMatch(/^−/);
  });

  it("leaves out columns without any value", () => {
    expect(table.columns.map(({ title }) => title)).not.toContain("reward over random");
  });

  it("works with one seed and says so", () => {
    const one = tableOf(summarise(madeResults({ seeds: [5] }))[0]!);
    expect(one.notes[0]).toContain("One seed only");
    expect(one.rows.every((row) => row.every(({ detail }) => detail === null))).toBe(true);
    expect(one.columns.map(({ title }) => title)).not.toContain("p");
  });

  it("names policies that have fewer seeds", () => {
    const partial = madeResults().filter(({ row }) => !(row.kind === "oracle" && row.seed > 5));
    expect(tableOf(summarise(partial)[0]!).notes).toContain("oracle has finished 5 of 8 seeds.");
  });
});
