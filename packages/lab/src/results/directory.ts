import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import type { Shard } from "../running/cells.ts";
import type { Manifest, Result } from "./types.ts";

/** A run directory: one manifest and one file of results for each shard. */

const suffix = ({ index, of }: Shard): string => (of === 1 ? "" : `.${index}-of-${of}`);

export const manifestFile = (shard: Shard): string => `manifest${suffix(shard)}.json`;
export const rowsFile = (shard: Shard): string => `rows${suffix(shard)}.jsonl`;

/** Results as they come, one line each; a line is on the disk before the next cell is counted as done. */
export class RunDirectory {
  readonly #file: number;

  private constructor(
    readonly path: string,
    file: number,
    /** What an earlier run left, by cell. */
    readonly done: ReadonlyMap<number, Result>,
  ) {
    this.#file = file;
  }

  /** A directory of its own for a fresh run, or the one to go on with. Never overwrites results. */
  static async open(path: string, manifest: Manifest, resume: boolean): Promise<RunDirectory> {
    const manifestPath = join(path, manifestFile(manifest.shard));
    const rowsPath = join(path, rowsFile(manifest.shard));
    mkdirSync(path, { recursive: true });
    const before = existsSync(manifestPath) ? readManifest(manifestPath) : null;
    if (before !== null && !resume) {
      throw new ConfigError(
        "--out",
        path,
        "be a directory without results of such a run (or give --resume to continue)",
      );
    }
    if (before !== null) checkSame(manifestPath, before, manifest);
    const done = existsSync(rowsPath) ? readRows(rowsPath) : { results: [], wholeBytes: 0 };
    // A kill may have torn the last line: what is not whole is run again.
    if (existsSync(rowsPath)) truncateSync(rowsPath, done.wholeBytes);
    if (before === null) {
      await writeFile(`${manifestPath}.tmp`, `${JSON.stringify(manifest, null, 2)}\n`);
      await rename(`${manifestPath}.tmp`, manifestPath);
    }
    const byCell = new Map(done.results.map((result) => [result.cell, result]));
    return new RunDirectory(path, openSync(rowsPath, "a"), byCell);
  }

  append(result: Result): void {
    writeSync(this.#file, `${JSON.stringify(result)}\n`);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export function readManifest(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Manifest;
  } catch (error) {
    throw new ConfigError(path, error instanceof Error ? error.message : error, "be the manifest of a run");
  }
}

/** All whole lines of a results file, and how many bytes they take up. */
export function readRows(path: string): { results: Result[]; wholeBytes: number } {
  const text = readFileSync(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const results = whole
    .split("\n")
    .slice(0, -1)
    .map((line, k) => {
      try {
        return JSON.parse(line) as Result;
      } catch {
        throw new ConfigError(`${path} line ${k + 1}`, line, "be a result");
      }
    });
  return { results, wholeBytes: Buffer.byteLength(whole) };
}

function checkSame(path: string, before: Manifest, now: Manifest): void {
  if (JSON.stringify(before.experiment) !== JSON.stringify(now.experiment)) {
    throw new ConfigError(path, before.name, `be of the same experiment as the one to resume (${now.name})`);
  }
  const changed = changedModule(before.modules, now.modules);
  if (changed !== null)
    throw new ConfigError(path, changed, "be of the same policy modules: this one has changed since the run began");
  if (before.version !== now.version) {
    throw new ConfigError(path, before.version, `be of version ${now.version}: results of two versions do not mix`);
  }
}

/** A policy module whose file is not what it was; null if all are. */
function changedModule(before: Manifest["modules"] = {}, now: Manifest["modules"] = {}): string | null {
  return Object.keys(now).find((module) => before[module] !== now[module]) ?? null;
}
