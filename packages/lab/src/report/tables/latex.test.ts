import { expect, it } from "vitest";
import { summarise } from "../summary.ts";
import { madeResults } from "../testing/results.ts";
import { latexTables } from "./latex.ts";
import { tableOf } from "./table.ts";
import { summaryCsv } from "./values.ts";

const policies = [
  { kind: "solo", level: 60 },
  { kind: "dccb", name: "a_b, α 0.3 & 100 %", level: 12 },
];
const worlds = summarise(madeResults({ policies, seeds: [1, 2, 3] }));

it("makes a table that LaTeX takes, with intervals, the best in bold, and names escaped", () => {
  const text = latexTables(worlds.map(tableOf));
  expect(text).toMatch(/\\begin\{tabular\}\{lr+\}/);
  expect(text).toContain("a\\_b, $\\alpha$ 0.3 \\& 100 \\%");
  expect(text).toMatch(/\\textbf\{[\d.,]+\} \{\\footnotesize \([\d.,]+ to [\d.,]+\)\}/);
  expect(text).toMatch(/cannot be below 0\.25/);
  // Every row has as many cells as there are columns.
  const columns = /\{(lr+)\}/.exec(text)![1]!.length;
  const rows = text.split("\n").filter((line) => line.endsWith("\\\\"));
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row.split(/(?<!\\)&/)).toHaveLength(columns);
  // Outside of math nothing is left that LaTeX would choke on.
  expect(text.replace(/\$[^$]*\$/g, "")).not.toMatch(/[−α<>]/);
});

it("makes one CSV table of all worlds", () => {
  const several = summarise(
    madeResults({ policies, seeds: [1, 2, 3], worlds: [{ name: "one" }, { name: "two, far" }] }),
  );
  const lines = summaryCsv(several).trim().split("\n");
  expect(lines).toHaveLength(1 + 2 * 2);
  expect(lines[0]).toMatch(/^world,policy,kind,seeds,regret,regret low,regret high/);
  expect(lines[0]).toMatch(/,p,least p$/);
  expect(lines[3]).toMatch(/^"two, far",solo,/);
  expect(lines[4]).toMatch(/,0\.25,0\.25$/);
});
