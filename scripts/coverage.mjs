// How often 95 % intervals of IPS, SNIPS and doubly robust estimates contain the truth, in logs of a fixed policy.
//   npm run coverage [-- --logs N --choices N --seed N --json]
import { parseArgs } from "node:util";
import { checkCoverage } from "@coterie/lab";

const { values } = parseArgs({
  options: {
    logs: { type: "string", default: "1000" },
    choices: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const [logs, choices, seed] = [values.logs, values.choices, values.seed].map(Number);
let told = performance.now();
const rows = checkCoverage({
  logs,
  choices,
  seed,
  onLog(done) {
    if (performance.now() - told < 2000) return;
    told = performance.now();
    process.stderr.write(`${done}/${logs} logs\n`);
  },
});
if (values.json) console.log(JSON.stringify({ logs, choices, seed, rows }));
else {
  const shown = (one) => `${(100 * one.coverage).toFixed(1)} % ± ${(one.width / 2).toFixed(4)}`.padEnd(20);
  console.log(
    `${"target".padEnd(10)}${"truth".padEnd(9)}${["ips", "snips", "dr"].map((name) => name.padEnd(20)).join("")}`,
  );
  for (const row of rows) {
    const cells = [row.ips, row.snips, row.dr].map(shown).join("");
    console.log(`${row.target.padEnd(10)}${row.truth.toFixed(4).padEnd(9)}${cells}`.trimEnd());
  }
}
