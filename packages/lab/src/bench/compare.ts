import { ConfigError, check } from "@coterie/core";
import { VERSION } from "../version.ts";
import type { BenchLine } from "./measure.ts";

/** What `coterie bench --save` keeps: ratios only, because nanoseconds are another machine's. */
export interface SavedBench {
  readonly format: 1;
  readonly version: string;
  readonly ratios: Readonly<Record<string, number>>;
}

/** A ratio may fall by so much before it counts as lost: what a busy machine does to one. */
const LOSS = 0.2;

export function savedOf(lines: readonly BenchLine[]): SavedBench {
  const rated = lines.flatMap(({ name, ratio }) => (ratio === undefined ? [] : [[name, ratio] as const]));
  return { format: 1, version: VERSION, ratios: Object.fromEntries(rated) };
}

export function parseSaved(document: unknown): SavedBench {
  const given = check.fields("", document, ["format", "version", "ratios"]);
  if (given.format !== 1) throw new ConfigError("format", given.format, "be 1, the format that --save writes");
  const ratios = given.ratios;
  if (typeof ratios !== "object" || ratios === null) throw new ConfigError("ratios", ratios, "be an object");
  for (const [name, ratio] of Object.entries(ratios)) check.atLeast(`ratios.${name}`, ratio, 0);
  return { format: 1, version: check.text("version", given.version), ratios: ratios as Record<string, number> };
}

export interface RatioLoss {
  readonly name: string;
  readonly before: number;
  readonly now: number;
}

/** Ratios that both have and that fell by more than a fifth. */
export function lossesOf(before: SavedBench, lines: readonly BenchLine[]): RatioLoss[] {
  const now = savedOf(lines).ratios;
  return Object.entries(before.ratios).flatMap(([name, ratio]) => {
    const current = now[name];
    return current !== undefined && current < (1 - LOSS) * ratio ? [{ name, before: ratio, now: current }] : [];
  });
}
