import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import { datasetsNamed } from "./datasets.ts";
import { writeWhole } from "./files.ts";
import { DatasetNotFound } from "./notFound.ts";

/** What is remembered of an archive from its first download on; later ones must be the same. */
export interface ArchiveRecord {
  readonly url: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface RegisterEntry {
  /** Where the files are. */
  readonly directory?: string;
  readonly archive?: ArchiveRecord;
}

/** `datasets.json` in the data home: which datasets are where on this machine. */
export type Register = Readonly<Record<string, RegisterEntry>>;

const VERSION = 1;
const fileIn = (dataHome: string): string => join(dataHome, "datasets.json");

/** Empty where there is none yet. */
export async function readRegister(dataHome: string): Promise<Register> {
  const path = fileIn(dataHome);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return {};
  const register = parsed(text);
  if (!register) throw new ConfigError(path, text, `be a list of datasets of version ${VERSION} (JSON)`);
  return register;
}

/** Changes the entry of one dataset and leaves the others as they are. */
export async function changeRegister(dataHome: string, name: string, change: RegisterEntry): Promise<void> {
  const register = await readRegister(dataHome);
  const datasets = { ...register, [name]: { ...register[name], ...change } };
  await writeWhole(fileIn(dataHome), `${JSON.stringify({ version: VERSION, datasets }, null, 2)}\n`);
}

/** Where a dataset is; `movielens` is the first of its family that is there. */
export async function registeredDirectory(name: string, dataHome: string): Promise<string> {
  const register = await readRegister(dataHome);
  for (const dataset of datasetsNamed(name)) {
    const directory = register[dataset.name]?.directory;
    if (directory !== undefined) return directory;
  }
  throw new DatasetNotFound(name);
}

function parsed(text: string): Register | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(document) || document.version !== VERSION || !isRecord(document.datasets)) return undefined;
  return Object.values(document.datasets).every(isEntry) ? (document.datasets as Register) : undefined;
}

function isEntry(value: unknown): value is RegisterEntry {
  if (!isRecord(value)) return false;
  const { directory, archive } = value;
  return (directory === undefined || typeof directory === "string") && (archive === undefined || isArchive(archive));
}

function isArchive(value: unknown): value is ArchiveRecord {
  if (!isRecord(value)) return false;
  const { url, sizeBytes, sha256 } = value;
  return typeof url === "string" && Number.isSafeInteger(sizeBytes) && typeof sha256 === "string";
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
