// Writes packages/*/api.txt from the build:   npm run api      With --check it only says which are not up to date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkedIn, packages, reportOf } from "./report.mjs";

const stale = packages().filter((one) => checkedIn(one) !== reportOf(one));
if (!process.argv.includes("--check")) for (const one of stale) writeFileSync(join(one.path, "api.txt"), reportOf(one));
else if (stale.length > 0) {
  const names = stale.map(({ manifest }) => manifest.name).join(", ");
  console.error(`The public surface of ${names} has changed. If that is meant: npm run build && npm run api`);
  process.exitCode = 1;
}
