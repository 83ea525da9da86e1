/**
 * Rooms of tabs that come and go, of several sizes: measures some and adds them to docs/figures/rooms.json (what is measured again takes
 * the place of what was), then prints their table and draws docs/pictures/rooms.svg.
 *
 *   node bench/rooms.mjs --members 1000 --seeds 3 --from 101 --seconds 40
 *   node bench/rooms.mjs --members 100 --seeds 4 --from 201 --seconds 100 --kindred --noise 0.1 --returning 0.5
 *   node bench/rooms.mjs
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { playRoom } from "@coterie/storm";

const { values: options } = parseArgs({
  options: {
    members: { type: "string" },
    seeds: { type: "string", default: "1" },
    from: { type: "string", default: "101" },
    seconds: { type: "string", default: "60" },
    kindred: { type: "boolean", default: false },
    noise: { type: "string", default: "0.5" },
    returning: { type: "string", default: "0" },
    file: { type: "string" },
  },
});

const KEPT = new URL("../docs/figures/rooms.json", import.meta.url);
const DRAWN = new URL("../docs/pictures/rooms.svg", import.meta.url);
const file = options.file ?? KEPT;
const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];

function measure(members) {
  const seconds = Number(options.seconds);
  const learning = options.kindred ? "kindred" : "kinds";
  for (let k = 0; k < Number(options.seeds); k++) {
    const seed = Number(options.from) + k;
    const begun = process.cpuUsage().user;
    const world = options.kindred ? { noise: Number(options.noise), returning: Number(options.returning) } : {};
    const report = playRoom({ members, churn: 0.01, kinds: 20, learning, ...world, seed, seconds, halves: true });
    const cpu = Math.round((process.cpuUsage().user - begun) / 1e6);
    const mb = Math.round(process.memoryUsage().rss / 1e6);
    const same = (one) =>
      one.learning === learning &&
      one.seed === seed &&
      one.report.members === members &&
      one.noise === world.noise &&
      one.returning === world.returning;
    const before = kept.findIndex(same);
    if (before >= 0) kept.splice(before, 1);
    kept.push({ learning, ...world, seed, seconds, cpu, mb, report });
    kept.sort((a, b) => a.learning.localeCompare(b.learning) || a.report.members - b.report.members || a.seed - b.seed);
    writeFileSync(file, `${JSON.stringify(kept)}\n`);
  }
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const at = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(1)} s`);
/** Each row: what it is called, and how a report says it. */
const ROWS = [
  ["sent for the room, a member and second", (r) => `${Math.round(r.roomBytes)} B`],
  ["the same for exchanges", (r) => `${Math.round(r.exchangeBytes)} B`],
  ["signatures checked, a member and second", (r) => r.checked.toFixed(1)],
  ["exchanges that failed", (r) => percent(r.failed)],
  ["in-degree, p1 / median / most", (r) => `${r.inDegree.p1} / ${r.inDegree.p50} / ${r.inDegree.max}`],
  ["strongly connected, of those there for 5 s", (r) => r.connected.toFixed(4)],
  ["the moment half have died; .999 after", (r) => `${r.halved.connected.toFixed(4)}; ${at(r.halved.seconds)}`],
  ["a newcomer's first exchange, p90", (r) => at(r.first.p90)],
  ["its first exchange with kin, median", (r) => at(r.firstKin.p50)],
  ["exchanges with kin", (r) => percent(r.withKin)],
  ["the room's size as members see it, p10 / median / p90", (r) => `${r.size.p10} / ${r.size.p50} / ${r.size.p90}`],
];

function table(runs) {
  const cells = (name, cell) => `| ${name} | ${runs.map(cell).join(" | ")} |`;
  return [
    cells("members, seed", ({ report, seed }) => `${report.members.toLocaleString("en")}, ${seed}`),
    cells("---", () => "---"),
    cells("measured for", ({ seconds }) => `${seconds} s`),
    ...ROWS.map(([name, say]) => cells(name, ({ report }) => say(report))),
    cells("processor time, memory", ({ cpu, mb }) => `${cpu} s, ${mb} MB`),
  ].join("\n");
}

/** One panel: figures over sizes on a logarithmic axis, and the bar. */
function panel(runs, x, title, value, bar, most) {
  const [width, height] = [220, 130];
  const place = (members) => x + 20 + ((Math.log10(members) - 1) / 4) * width;
  const level = (v) => 40 + height - (Math.min(v, most) / most) * height;
  const dots = runs.map(
    ({ report }) =>
      `<circle cx="${place(report.members).toFixed(1)}" cy="${level(value(report)).toFixed(1)}" r="3.5" fill="#3b6fb6"/>`,
  );
  const ticks = [10, 100, 1000, 10_000, 100_000].map(
    (n) => `<text x="${place(n)}" y="190" text-anchor="middle">${n >= 1000 ? `${n / 1000}k` : n}</text>`,
  );
  const line = `<line x1="${x + 20}" x2="${x + 20 + width}" y1="${level(bar)}" y2="${level(bar)}" stroke="#b6553b" stroke-dasharray="4 3"/>`;
  const axis = `<line x1="${x + 20}" x2="${x + 20 + width}" y1="170" y2="170" stroke="#888"/>`;
  return `<text x="${x + 20}" y="24">${title}</text>${axis}${line}${dots.join("")}${ticks.join("")}`;
}

function figure(runs) {
  const panels = [
    panel(runs, 0, "bytes a member sends in a second (bar 2,000)", (r) => r.roomBytes, 2000, 2500),
    panel(runs, 280, "exchanges that fail, % (bar 10)", (r) => 100 * r.failed, 10, 12),
    panel(runs, 560, "in-degree, most over median (bar 3)", (r) => r.inDegree.max / r.inDegree.p50, 3, 4),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 200" font-family="sans-serif" font-size="11" fill="#666"><title>Rooms of several sizes</title>${panels.join("")}</svg>\n`;
}

if (options.members !== undefined) measure(Number(options.members));
for (const learning of ["kinds", "kindred"]) {
  const runs = kept.filter((one) => one.learning === learning);
  if (runs.length > 0) console.log(`${learning}\n\n${table(runs)}\n`);
}
const drawn = kept.filter((one) => one.learning === "kinds");
if (options.file === undefined && drawn.length > 0) writeFileSync(DRAWN, figure(drawn));
