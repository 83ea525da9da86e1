import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtIn, cellsOf, figuresOf, report, VERSION } from "@coterie/lab";
import { inSchemes } from "../../../site/src/schemes.mjs";
import { table } from "./text.mjs";

/** As docs and the figure call them; VW's numbers are from elsewhere (packages/lab/src/experiments/real/outside.ts). */
const ROWS = [
  ["kindred", "**kindred**, defaults"],
  ["solo", "`solo` (learning alone), tuned"],
  ["pooled", "`pooled` (one model for all), tuned"],
  ["club", "CLUB (central clustering), tuned"],
  ["dccb", "DCCB (the paper's), tuned"],
];
const VW = { "Last.fm": 3.06, MovieLens: 3.14 };

/** Of each kind of policy in each world the setting that earned most, seed by seed. */
export async function keepReal({ rows }) {
  const kept = groups(rows, ({ world, kind }) => `${world}/${kind}`).map((own) => {
    const settings = groups(own, ({ policy }) => policy);
    const best = settings.toSorted((a, b) => total(b) - total(a))[0];
    const { world, kind, policy, peers, rounds } = best[0];
    const seeds = best.map(({ seed, reward, rewardOverRandom }) => ({ seed, reward, rewardOverRandom }));
    return { world, kind, policy, peers, rounds, settings: settings.length, seeds };
  });
  const { document } = await reported(kept);
  return { kept, ratios: ratiosIn(document), means: meansIn(document) };
}

/** In the order of their first member. */
function groups(rows, keyOf) {
  const found = new Map();
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row]);
  return [...found.values()];
}

const total = (rows) => rows.reduce((sum, { reward }) => sum + reward, 0);

/** Intervals are the report's own. */
function meansIn({ worlds }) {
  return worlds.flatMap(({ world, policies }) =>
    policies.map(({ kind, values }) => ({ world, kind, ...rounded(values.rewardOverRandom.estimate) })),
  );
}

/** Kindred's reward over solo's, paired by seed. */
function ratiosIn({ worlds }) {
  return worlds.map(({ world, policies }) => {
    const { against } = policies.find(({ kind }) => kind === "kindred");
    return { world, ...rounded(against.ratio), p: against.p };
  });
}

const rounded = ({ value, low, high }) => ({ value: three(value), low: three(low), high: three(high) });
const three = (value) => Math.round(value * 1000) / 1000;

/** What a report of the kept runs alone says, and the one figure that it draws. */
async function reported(kept) {
  const folder = await mkdtemp(join(tmpdir(), "coterie-figure-"));
  try {
    const experiment = builtIn("real");
    const cells = cellsOf(experiment);
    const results = kept.flatMap(({ world, kind, policy, peers, rounds, seeds }) =>
      seeds.map((row) => {
        const { index } = cells.find((cell) => isCell(cell, world, policy, row.seed));
        const nothing = { regret: null, sentBytes: null, exchanges: 0, exactAtRound: null, secondsPerRun: 0 };
        return { cell: index, row: { world, policy, kind, peers, rounds, ...nothing, ...row }, checkpoints: [] };
      }),
    );
    const manifest = {
      format: 1,
      version: VERSION,
      engine: { node: "-", platform: "-", arch: "-" },
      created: "-",
      experiment: experiment.source,
      name: "real",
      cells: cells.length,
      shard: { index: 1, of: 1 },
    };
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    await writeFile(join(folder, "rows.jsonl"), results.map((result) => `${JSON.stringify(result)}\n`).join(""));
    const { document } = await report([folder], { svg: folder, figures: figuresOf });
    return { document, svg: await readFile(join(folder, "real.svg"), "utf8") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isCell = (cell, world, policy, seed) =>
  cell.world.name === world && cell.policy.name === policy && cell.seed === seed;

/** The README's figure, by the name of its file in docs/pictures. */
export async function realPictures({ kept }) {
  const { light, dark } = inSchemes((await reported(kept)).svg);
  return { "real-light.svg": light, "real-dark.svg": dark };
}

export function realTable({ kept, means, ratios }) {
  const worlds = ratios.map(({ world }) => world);
  const cell = (kind) => (world) => shown(means.find((mean) => mean.world === world && mean.kind === kind));
  const rows = ROWS.map(([kind, name]) => [name, ...worlds.map(cell(kind))]);
  const vw = ["VW, central, tuned; *from elsewhere*", ...worlds.map((world) => VW[world].toFixed(2))];
  const over = ["kindred over `solo`, paired", ...ratios.map(shown)];
  const { seeds, rounds } = kept[0];
  const caption = `Reward as a multiple of what random choices earn, after ${rounds} rounds: mean of ${seeds.length} seeds and its 95 % interval.`;
  return `${caption}\n\n${table([["", ...worlds], ...rows, vw, over])}`;
}

const shown = ({ value, low, high }) => `${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
