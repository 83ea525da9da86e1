// Two policies in one simulated world, a few seeds each: a table here, and a figure as SVG.
//   node compare.mjs [folder of the figures]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultJobs, parseExperiment, report, runExperiment, terminalTable, WHOLE } from "@coterie/lab";

const figures = process.argv[2] ?? "figures";

// 1. The question, as data. Every field is checked, and a wrong one is named.
const experiment = parseExperiment({
  name: "alone-or-together",
  worlds: [{ kind: "clusters", peers: 20, clusters: 2, dimension: 6, arms: 8, noise: 0.4 }],
  policies: [{ kind: "solo" }, { kind: "kindred" }],
  rounds: 300,
  seeds: [1, 2, 3],
});

// 2. The runs, over all cores, into a folder that is gone afterwards.
const out = await mkdtemp(join(tmpdir(), "lab-script-"));
try {
  const run = join(out, "run");
  const results = await runExperiment(experiment, { shard: WHOLE, jobs: defaultJobs(), out: run, resume: false });
  const rows = results.map(({ row }) => row);

  // 3. What came of it.
  console.log(terminalTable(rows));
  const regret = (policy) => rows.filter(({ kind }) => kind === policy).reduce((sum, row) => sum + row.regret, 0);
  console.log(`kindred lost ${(regret("kindred") / regret("solo")).toFixed(2)} of what solo lost`);
  const { files } = await report([run], { svg: figures });
  for (const file of files) console.log(`wrote ${file}`);
} finally {
  await rm(out, { recursive: true, force: true });
}
