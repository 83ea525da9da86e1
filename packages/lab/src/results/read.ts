import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import { type MissingCell, missingCells } from "./reading/cells.ts";
import { firstDifference, inWords } from "./reading/compare.ts";
import { parseManifest, parseResult } from "./reading/parse.ts";
import type { Manifest, Result } from "./types.ts";

/** One manifest and where it was found. */
export interface Source {
  readonly file: string;
  readonly manifest: Manifest;
}

/** What is left of an experiment's runs, from however many directories and shards. */
export interface Run {
  readonly name: string;
  readonly experiment: unknown;
  /** How many cells the experiment has, finished or not. */
  readonly cells: number;
  readonly sources: readonly Source[];
  /** Sorted by cell, each cell once. */
  readonly results: readonly Result[];
  readonly missing: readonly MissingCell[];
}

interface Found {
  readonly result: Result;
  readonly place: string;
}

const MANIFEST = /^manifest(\.\d+-of-\d+)?\.json$/;

/** Reads and merges run directories. They must hold the same experiment, and cells found twice must agree. */
export async function readRun(directories: readonly string[]): Promise<Run> {
  if (directories.length === 0) throw new ConfigError("directories", directories, "name at least one run directory");
  const sources: Source[] = [];
  const found = new Map<number, Found>();
  for (const directory of directories) {
    for (const name of await manifestsIn(directory)) {
      const source = await readManifest(join(directory, name));
      checkSame(sources[0], source);
      sources.push(source);
      await readRows(join(directory, name.replace("manifest", "rows").replace(/json$/, "jsonl")), source, found);
    }
  }
  const results = [...found.values()].map(({ result }) => result);
  return runOf(sources, results);
}

/** A run that is in memory: the same without files. */
export function runOf(sources: readonly Source[], results: readonly Result[]): Run {
  const { name, experiment, cells } = sources[0]!.manifest;
  const sorted = [...results].sort((a, b) => a.cell - b.cell);
  checkNames(sorted);
  return { name, experiment, cells, sources, results: sorted, missing: missingCells(experiment, cells, sorted) };
}

async function manifestsIn(directory: string): Promise<string[]> {
  const bound = "be a run directory (one that holds a manifest.json)";
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") throw new ConfigError("directory", directory, bound);
    throw error;
  });
  const manifests = names.filter((name) => MANIFEST.test(name)).sort();
  if (manifests.length === 0) throw new ConfigError("directory", directory, bound);
  return manifests;
}

async function readManifest(file: string): Promise<Source> {
  const text = await readFile(file, "utf8");
  const value = parsed(text);
  if (value === undefined) throw new ConfigError(file, text, "be JSON");
  return { file, manifest: parseManifest(file, value) };
}

/** Undefined if it is not JSON; JSON itself has no undefined. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function checkSame(first: Source | undefined, second: Source): void {
  if (first === undefined) return;
  const whole = ({ manifest: { name, cells, experiment, modules } }: Source): unknown => ({
    name,
    cells,
    experiment,
    modules,
  });
  const difference = firstDifference(whole(first), whole(second));
  if (difference === null) return;
  const bound = `be as in ${first.file} (${inWords(difference.left)}) to be merged with it`;
  throw new ConfigError(`${second.file}: ${difference.path}`, difference.right, bound);
}

/** Adds the rows of a file to those found. A shard that has not begun has no file; a last line may be torn. */
async function readRows(file: string, source: Source, found: Map<number, Found>): Promise<void> {
  let line = 0;
  let torn: { place: string; text: string } | null = null;
  for (const text of await linesOf(file)) {
    line++;
    if (text.trim() === "") continue;
    if (torn !== null) throw new ConfigError(torn.place, torn.text, "be one JSON result");
    const place = `${file}:${line}`;
    const value = parsed(text);
    if (value === undefined) torn = { place, text };
    else add(found, { result: parseResult(place, value), place }, source);
  }
}

async function linesOf(file: string): Promise<string[]> {
  try {
    return (await readFile(file, "utf8")).split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function add(found: Map<number, Found>, next: Found, source: Source): void {
  const { cell } = next.result;
  const { cells } = source.manifest;
  if (cell >= cells)
    throw new ConfigError(`${next.place}: cell`, cell, `be below ${cells}, the cells of ${source.file}`);
  const before = found.get(cell);
  if (before === undefined) {
    found.set(cell, next);
    return;
  }
  // Time is the one thing two runs of a cell need not share.
  const difference = firstDifference(before.result, next.result, "", "row.secondsPerRun");
  if (difference === null) return;
  const bound = `equal that of ${before.place} (${inWords(difference.left)}), the same cell`;
  throw new ConfigError(`${next.place}: ${difference.path}`, difference.right, bound);
}

/** Worlds, policies and seeds are told apart by name: two cells of one name would be mixed up. */
function checkNames(results: readonly Result[]): void {
  const seen = new Map<string, number>();
  for (const { cell, row } of results) {
    const name = JSON.stringify([row.world, row.policy, row.seed]);
    const other = seen.get(name);
    if (other !== undefined) {
      const value = `${row.world}, ${row.policy}, seed ${row.seed}`;
      throw new ConfigError(`the name of cell ${cell}`, value, `differ from that of cell ${other}`);
    }
    seen.set(name, cell);
  }
}
