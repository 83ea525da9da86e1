import type { RoomReport } from "./room.ts";

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const seconds = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(1)} s` : "never");

/** A report as lines of a table. */
export function roomText(report: RoomReport): string {
  const { inDegree, first, firstKin, size, halved, faults } = report;
  const rows: [string, string][] = [
    ["members, churn a second", `${report.members}, ${percent(report.churn)}`],
    ["sent for the room, a member and second", `${Math.round(report.roomBytes)} B`],
    ["signatures checked, a member and second", report.checked.toFixed(1)],
    ["exchanges that failed", `${percent(report.failed)} of ${report.exchanges}`],
    ["entries of members that are gone", percent(report.dead)],
    ["in-degree p1 / p50 / max", `${inDegree.p1} / ${inDegree.p50} / ${inDegree.max}`],
    ["strongly connected, of those present for 5 s", report.connected.toFixed(4)],
    ["a newcomer's first exchange p50 / p90", `${seconds(first.p50)} / ${seconds(first.p90)}`],
    ["its first exchange with kin p50 / p90", `${seconds(firstKin.p50)} / ${seconds(firstKin.p90)}`],
    ["exchanges with kin", percent(report.withKin)],
    ["the room's size as members see it p10 / p50 / p90", `${size.p10} / ${size.p50} / ${size.p90}`],
  ];
  if (halved !== null) {
    rows.push([
      "connected when half have died",
      `${halved.connected.toFixed(4)}; .999 after ${seconds(halved.seconds)}`,
    ]);
  }
  const lines = rows.map(([name, value]) => `${name.padEnd(52)}${value}`);
  return `${[...lines, ...faults.slice(0, 10).map((fault) => `FAULT ${fault}`)].join("\n")}\n`;
}
