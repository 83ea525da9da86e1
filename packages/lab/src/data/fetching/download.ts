import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeWhole } from "../files.ts";
import { FetchError } from "./errors.ts";

export interface DownloadProgress {
  readonly receivedBytes: number;
  /** Null where the server does not say. */
  readonly totalBytes: number | null;
}

export interface DownloadOptions {
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many attempts in a row may bring nothing new before it is given up. */
  readonly attempts?: number | undefined;
  readonly pauseMs?: number | undefined;
}

/** What is known of the file that a `.part` is the beginning of; kept beside it in `.part.json`. */
interface Origin {
  readonly url: string;
  /** A strong ETag, else the date of last change: what the server compares before it goes on (If-Range). */
  readonly validator: string;
  readonly totalBytes: number | null;
}

/** A server that always breaks off after some bytes is not followed for ever. */
const ATTEMPTS_IN_ALL = 200;

/**
 * Downloads to `path`, by way of `path.part`, which stays when the connection breaks: this call, or a later one, goes on
 * from there if the server confirms that the file is still the same, and begins anew if it is not.
 */
export async function download(url: string, path: string, options: DownloadOptions = {}): Promise<void> {
  const attempts = options.attempts ?? 4;
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  for (let inVain = 0, all = 1; ; all++) {
    const before = await sizeOf(part);
    const fault = await attempt(url, part, options);
    if (!fault) break;
    const after = await sizeOf(part);
    inVain = after > before ? 0 : inVain + 1;
    if (fault.isFinal || inVain >= attempts || all >= ATTEMPTS_IN_ALL) {
      const kept = after > 0 ? `; ${after} bytes are kept, and fetching again continues from there` : "";
      throw new FetchError(`${url}: ${fault.reason}${kept}`);
    }
    await pause((options.pauseMs ?? 500) * 2 ** inVain, undefined, { signal: options.signal });
  }
  await rename(part, path);
  await rm(`${part}.json`, { force: true });
}

interface Broken {
  readonly reason: string;
  /** Trying again cannot help. */
  readonly isFinal: boolean;
}

const broken = (reason: string, isFinal = false): Broken => ({ reason, isFinal });

/** One request. Undefined when the file is whole. */
async function attempt(url: string, part: string, options: DownloadOptions): Promise<Broken | undefined> {
  const origin = await readOrigin(part, url);
  const have = origin ? await sizeOf(part) : 0;
  if (origin && have > 0 && have === origin.totalBytes) return undefined;
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  if (origin && have > 0) Object.assign(headers, { range: `bytes=${have}-`, "if-range": origin.validator });
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: options.signal ?? null });
  } catch (error) {
    options.signal?.throwIfAborted();
    return broken(`no connection (${reasonOf(error)})`);
  }
  const start = response.status === 206 ? have : 0;
  const now = originOf(url, response, start);
  if (!now || !continues(origin, now, start)) {
    await response.body?.cancel();
    // What is there belongs to another file, or to none: the next attempt begins anew.
    if (response.status === 206 || response.status === 416) await discard(part);
    else return broken(`the server answered ${response.status}`, response.status < 500);
    return broken("the file changed on the server");
  }
  // The old beginning goes before the new description comes: never may the two belong to different files.
  if (start === 0) await discard(part);
  await writeWhole(`${part}.json`, JSON.stringify(now));
  return receive(response, part, start, now.totalBytes, options);
}

/** Appends the body to the part, or begins it anew at 0. */
async function receive(
  response: Response,
  part: string,
  start: number,
  totalBytes: number | null,
  { onProgress, signal }: DownloadOptions,
): Promise<Broken | undefined> {
  const file = await open(part, start === 0 ? "w" : "a");
  let receivedBytes = start;
  try {
    const body = response.body?.getReader();
    for (;;) {
      const piece = await body?.read().catch((error: unknown) => broken(`the connection broke (${reasonOf(error)})`));
      signal?.throwIfAborted();
      if (!piece || ("done" in piece && piece.done)) break;
      if ("reason" in piece) return piece;
      await file.writeFile(piece.value);
      receivedBytes += piece.value.length;
      onProgress?.({ receivedBytes, totalBytes });
    }
  } finally {
    await file.close();
  }
  if (totalBytes === null || receivedBytes === totalBytes) return undefined;
  if (receivedBytes > totalBytes) await discard(part);
  return broken(`the connection ended after ${receivedBytes} of ${totalBytes} bytes`);
}

/** What a response says of its file; undefined where it is not the file, or not from `start` on. */
function originOf(url: string, response: Response, start: number): Origin | undefined {
  const header = (name: string) => response.headers.get(name);
  const etag = header("etag");
  const validator = (etag && !etag.startsWith("W/") ? etag : header("last-modified")) ?? "";
  if (response.status === 200) {
    const length = header("content-length");
    return { url, validator, totalBytes: length === null ? null : Number(length) };
  }
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header("content-range") ?? "");
  if (response.status !== 206 || !range || Number(range[1]) !== start) return undefined;
  return { url, validator, totalBytes: range[2] === "*" ? null : Number(range[2]) };
}

/** Whether what comes may be appended to what is there. Some servers send a range of a changed file regardless. */
function continues(origin: Origin | undefined, now: Origin, start: number): boolean {
  if (start === 0) return true;
  const sameFile = now.validator === "" || now.validator === origin?.validator;
  return sameFile && (now.totalBytes === null || origin?.totalBytes === null || now.totalBytes === origin?.totalBytes);
}

/** What the part is the beginning of; undefined where that cannot be confirmed, so that it is of no use. */
async function readOrigin(part: string, url: string): Promise<Origin | undefined> {
  try {
    const origin = JSON.parse(await readFile(`${part}.json`, "utf8")) as Origin;
    return origin.url === url && typeof origin.validator === "string" && origin.validator !== "" ? origin : undefined;
  } catch {
    return undefined;
  }
}

async function discard(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(`${part}.json`, { force: true });
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    (stats) => stats.size,
    () => 0,
  );

/** fetch() says "fetch failed" or "terminated" and hides why in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
