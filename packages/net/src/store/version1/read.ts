import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contents } from "../backend.ts";
import { filesIn, names, readIfThere } from "../folder/files.ts";
import type { Version } from "./cursor.ts";
import { readLog } from "./log.ts";
import { readTable } from "./table.ts";

/**
 * A store of version 1, a LevelDB database, read without LevelDB, which aborts the process where a block is damaged. All
 * tables and logs are read, whatever its manifest says of them, and of each key the newest value counts. What was taken
 * away and comes to light again is older than the oldest snapshot, and recovery passes it over.
 */
export async function readVersion1(path: string): Promise<Contents> {
  const incarnation = await incarnationOf(path);
  const directory = join(path, `incarnation-${incarnation}`);
  const newest = new Map<string, Version>();
  const damaged: string[] = [];
  for (const name of (await filesIn(directory)).sort()) {
    const read = /\.(ldb|sst)$/.test(name) ? readTable : name.endsWith(".log") ? readLog : null;
    if (read === null) continue;
    const found = read(await readFile(join(directory, name)));
    if (found.damaged) damaged.push(name);
    for (const version of found.versions) {
      const known = newest.get(version.key);
      if (known === undefined || known.sequence < version.sequence) newest.set(version.key, version);
    }
  }
  const pairs = new Map<string, Uint8Array>();
  for (const { key, value } of newest.values()) if (value !== null) pairs.set(key, new Uint8Array(value));
  const fault = damaged.length === 0 ? null : `the database cannot be read: ${damaged.join(", ")}`;
  return { pairs, witness: await readIfThere(join(path, "witness")), fault, known: true, incarnation };
}

/** The one that `current` names, else the highest. */
async function incarnationOf(path: string): Promise<number> {
  const pointer = await readIfThere(join(path, "current"));
  const said = Number(pointer && /^incarnation ([1-9]\d{0,9})\n$/.exec(new TextDecoder().decode(pointer))?.[1]);
  const there = (await names(path)).map((name) => Number(/^incarnation-([1-9]\d{0,9})$/.exec(name)?.[1] ?? 0));
  return said > 0 && there.includes(said) ? said : Math.max(1, ...there);
}
