/**
 * How much of the system the units in deploy/ leave open, by `systemd-analyze security`: 0 is nothing, 10 everything. Ends with
 * exit code 1 unless each is below 3. Needs Debian's package `systemd`, running or not.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const UNITS = ["coterie-hub.service", "coterie-peer@.service"];
export const MOST = 3;

const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));

/** The exposure of each unit, by its name; throws where systemd-analyze is missing or does not understand a unit. */
export function exposures(folder = deploy) {
  const scratch = mkdtempSync(join(tmpdir(), "coterie-units-"));
  try {
    for (const name of UNITS) cpSync(join(folder, name), join(scratch, name));
    return Object.fromEntries(UNITS.map((name) => [name, exposure(join(scratch, name))]));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function exposure(file) {
  const { stdout, stderr, error } = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", file], {
    encoding: "utf8",
  });
  if (error) throw new Error(`systemd-analyze is missing (Debian's package systemd): ${error.message}`);
  // A setting that systemd does not know would count for nothing.
  const unknown = /Unknown key name .*|Failed to parse .*/.exec(stderr)?.[0];
  if (unknown !== undefined) throw new Error(unknown);
  const found = /Overall exposure level for .*: (\d+\.\d)/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`no exposure in what systemd-analyze says: ${stdout}${stderr}`);
  return Number(found);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [name, level] of Object.entries(exposures())) {
    console.log(`${name}: ${level}`);
    if (level >= MOST) process.exitCode = 1;
  }
}
