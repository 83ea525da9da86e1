import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type CheckResult, checkDataset } from "../check.ts";
import { type Dataset, datasetsNamed, OFFICIAL_BASE } from "../datasets.ts";
import { dataDirectory } from "../directories.ts";
import { sha256Of, temporaryBeside } from "../files.ts";
import { present } from "../loaders/present.ts";
import { type ArchiveRecord, changeRegister, readRegister } from "../register.ts";
import { type DownloadOptions, download } from "./download.ts";
import { FetchError } from "./errors.ts";
import { unzip } from "./unzip.ts";

export interface FetchOptions extends DownloadOptions {
  readonly dataHome?: string | undefined;
  /** In place of the official server; ends with a slash. */
  readonly baseUrl?: string | undefined;
}

export interface FetchResult extends CheckResult {
  readonly directory: string;
  readonly archive: ArchiveRecord;
}

/**
 * Downloads a dataset from its official address, unpacks it, checks its counts and registers it.
 * Most authors publish no checksum to hold it to, so the first download is remembered, and later ones must equal it.
 * The files appear in their place together, after the check, or not at all.
 */
export async function fetchDataset(name: string, options: FetchOptions = {}): Promise<FetchResult> {
  const dataset = datasetsNamed(name)[0]!;
  const dataHome = options.dataHome ?? dataDirectory();
  const remembered = (await readRegister(dataHome))[dataset.name]?.archive;
  const url = new URL(dataset.archive, options.baseUrl ?? OFFICIAL_BASE).href;
  const path = join(dataHome, "downloads", basename(dataset.archive));
  await download(url, path, options);
  try {
    const archive = { url, sizeBytes: (await stat(path)).size, sha256: await sha256Of(path) };
    if (remembered) requireSame(archive, remembered, dataHome);
    const place = join(dataHome, "datasets", dataset.name);
    const { directory, result } = await unpack(path, place, dataset, options.signal);
    await changeRegister(dataHome, dataset.name, { directory, archive });
    return { ...result, directory, archive };
  } finally {
    // Unpacked, it is not needed any more; damaged, it must not be taken up again.
    await rm(path, { force: true });
  }
}

function requireSame(archive: ArchiveRecord, remembered: ArchiveRecord, dataHome: string): void {
  if (archive.sizeBytes === remembered.sizeBytes && archive.sha256 === remembered.sha256) return;
  throw new FetchError(
    `${archive.url} is not the file of the first download: ${archive.sizeBytes} bytes with SHA-256 ${archive.sha256}, ` +
      `then ${remembered.sizeBytes} with ${remembered.sha256}; to accept it, remove "archive" from ${join(dataHome, "datasets.json")}`,
  );
}

/** Unpacks beside the place, checks, and only then moves into it. */
async function unpack(
  archive: string,
  place: string,
  dataset: Dataset,
  signal: AbortSignal | undefined,
): Promise<{ directory: string; result: CheckResult }> {
  const temporary = temporaryBeside(place);
  await mkdir(temporary, { recursive: true });
  try {
    await unzip(archive, temporary, { signal });
    const inside = await findFiles(temporary, dataset);
    const result = await checkDataset(dataset.name, inside);
    await rm(place, { recursive: true, force: true });
    await rename(temporary, place);
    return { directory: join(place, relative(temporary, inside)), result };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The files stand at the top of some archives and in a folder of others. */
async function findFiles(top: string, dataset: Dataset): Promise<string> {
  const folders = (await readdir(top, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const folder of [top, ...folders.map((entry) => join(top, entry.name)).sort()]) {
    const found = await Promise.all(dataset.needed.map((choice) => present(folder, choice)));
    if (found.every((files) => files.length > 0)) return folder;
  }
  throw new FetchError(`the archive does not hold the files of ${dataset.name}`);
}
