import { closeSync, createWriteStream, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { ConfigError, check, type LogEntry } from "@coterie/core";
import type { LogSink } from "../sdk/log.ts";

/** A decision log in a file: a sink for `peer.log`, and a way to be sure that everything is in it. */
export interface LogFile extends LogSink {
  /** Resolves when all entries are with the system. The peer should have stopped logging before. */
  close(): Promise<void>;
}

/** Lines that wait for the disk. Beyond this one is refused, and the peer tells of it as a `failure`. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/** Appends to a file of JSON lines; makes it if it is not there. One process at a time. */
export function logFile(path: string): LogFile {
  repair(check.text("path", path));
  const stream = createWriteStream(path, { flags: "a" });
  let failed: Error | null = null;
  stream.on("error", (error) => {
    failed = error;
  });
  const write = (entry: LogEntry): void => {
    if (failed !== null) throw failed;
    if (stream.writableLength > MOST_WAITING_BYTES)
      throw new Error(`${path}: the disk is too slow for this log; a line was dropped`);
    stream.write(`${JSON.stringify(entry)}\n`);
  };
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => stream.end(() => (failed === null ? resolve() : reject(failed))));
  return Object.assign(write, { close });
}

/** Takes away a last line that a crash cut off: nobody could read it, nor what would be appended to it. */
function repair(path: string): void {
  const file = opened(path);
  try {
    const { size } = fstatSync(file);
    const end = wholeLines(file, size);
    if (end < size) ftruncateSync(file, end);
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    // "a" makes it where it is missing; "r+" lets it be cut.
    closeSync(openSync(path, "a"));
    return openSync(path, "r+");
  } catch (error) {
    throw new ConfigError("path", path, `be a file that can be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** How many bytes there are up to the last newline. */
function wholeLines(file: number, size: number): number {
  const block = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - block.length);
    const read = readSync(file, block, 0, end - from, from);
    const at = block.subarray(0, read).lastIndexOf(NEWLINE);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}
