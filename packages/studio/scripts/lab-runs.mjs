// The finished runs that the lab's page shows at once:  node packages/studio/scripts/lab-runs.mjs [PRESET ...]   (after a build)
//
// Plays every preset of the page to its end, or those named, and writes the curves to src/lab/finished.json.
import { readFileSync, writeFileSync } from "node:fs";
import { FINISHED_POINTS, roundedRun } from "../dist/lab/finished.js";
import { PRESETS } from "../dist/lab/presets.js";
import { playAll } from "../dist/lab/run.js";

const file = new URL("../src/lab/finished.json", import.meta.url);
const wanted = process.argv.slice(2);
const runs = wanted.length === 0 ? {} : JSON.parse(readFileSync(file, "utf8"));
for (const { name, setting } of PRESETS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const points = playAll(setting, FINISHED_POINTS);
  runs[name] = roundedRun(points);
  const last = points.at(-1);
  console.log(
    name,
    setting.policies
      .map((kind, k) => `${kind} ${(last.regret[k] / (setting.peers - setting.liars)).toFixed(1)}`)
      .join(", "),
  );
}
writeFileSync(file, `${JSON.stringify(runs)}\n`);
