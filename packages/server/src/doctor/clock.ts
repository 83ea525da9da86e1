import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bad, type Finding, good } from "./finding.ts";

/** One look at both clocks, in ms: the time of day, and the one that never turns back. */
export interface ClockReading {
  readonly day: number;
  readonly steady: number;
}

export const readClocks = (): ClockReading => ({ day: Date.now(), steady: performance.now() });

/** Between two looks both clocks go on alike, but for what a time service corrects. */
const MOST_DRIFT_MS = 250;
/** File systems and clocks of other machines are not exact. */
const SLACK_MS = 60_000;

const REMEDY =
  "Let the system keep its clock (NTP). A peer that starts with an earlier time than before is taken for its own past.";

/** Whether the clock was set meanwhile, and whether it lies before things that were written earlier. */
export function judgeClock(first: ClockReading, last: ClockReading, written: readonly number[]): Finding {
  const drift = last.day - first.day - (last.steady - first.steady);
  if (Math.abs(drift) > MOST_DRIFT_MS) {
    return bad("clock", `The clock was set by ${Math.round(drift)} ms while this ran.`, REMEDY);
  }
  const latest = Math.max(...written, Number.NEGATIVE_INFINITY);
  if (latest > last.day + SLACK_MS) {
    const found = `The clock says ${dayOf(last.day)}, but files here were written on ${dayOf(latest)}.`;
    return bad("clock", found, REMEDY);
  }
  return good("clock", `${dayOf(last.day)}, steady; whether it is right cannot be told without asking others.`);
}

const dayOf = (time: number): string =>
  new Date(time)
    .toISOString()
    .replace(/\.\d+Z$/, " UTC")
    .replace("T", " ");

/** When this program, and what is at some paths, was written last; what is not there is left out. */
export async function writtenAt(paths: readonly string[]): Promise<number[]> {
  const all = [fileURLToPath(import.meta.url), ...paths];
  const times = await Promise.all(all.map((path) => stat(path).catch(() => null)));
  return times.flatMap((found) => (found === null ? [] : [found.mtimeMs]));
}
