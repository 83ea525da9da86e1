import { createReadStream } from "node:fs";
import { basename, dirname } from "node:path";
import { TextDecoder } from "node:util";
import { ConfigError } from "@coterie/core";

const CHUNK_BYTES = 1 << 20;
/** Longer than any line of the official files; a file without line breaks is stopped here, not read into memory. */
const LINE_CHARACTERS = 1 << 20;

/** What a file holds: text in an unknown encoding, or numbers and separators alone. */
export type FileContents = "text" | "numbers";

/**
 * Calls `take(line, number)` for each line of a file, from line 1, without its line break (LF or CRLF).
 * The file is streamed: one chunk is in memory at a time, whatever the size.
 *
 * Text is UTF-8 if the whole file is valid UTF-8, else Latin-1, in which every byte is a character. The older
 * MovieLens files are Latin-1, some HetRec files are too. The decision is per file and needs a first pass; a file of
 * numbers (ratings, assignments), where the two encodings agree, is spared it.
 */
export async function readLines(
  path: string,
  contents: FileContents,
  take: (line: string, number: number) => void,
): Promise<void> {
  const decoder = contents === "text" && (await isUtf8(path)) ? new TextDecoder("utf-8") : undefined;
  let rest = "";
  let number = 0;
  for await (const chunk of chunksOf(path)) {
    const text = rest + (decoder ? decoder.decode(chunk, { stream: true }) : chunk.toString("latin1"));
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      take(lineOf(text, from, end, ++number), number);
      from = end + 1;
    }
    rest = text.slice(from);
    if (rest.length > LINE_CHARACTERS) {
      const where = `${basename(path)} line ${number + 1} length`;
      throw new ConfigError(where, rest.length, `be at most ${LINE_CHARACTERS} characters`);
    }
  }
  if (rest !== "") take(lineOf(rest, 0, rest.length, ++number), number);
}

/** The bytes of a file in chunks; that it is missing or cannot be read is the caller's mistake, said as such. */
export async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new ConfigError("directory", dirname(path), `hold the file ${basename(path)}`);
    }
    if (code === "EISDIR" || code === "EACCES" || code === "EPERM") {
      throw new ConfigError(basename(path), code, "be a file that can be read");
    }
    throw error;
  }
}

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of chunksOf(path)) if (!decodes(decoder, chunk)) return false;
  return decodes(decoder);
}

function decodes(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

function lineOf(text: string, from: number, end: number, number: number): string {
  const stop = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  const line = text.slice(from, stop);
  // A byte order mark, which the decoder of UTF-8 drops by itself, as Latin-1 shows it.
  return number === 1 && line.startsWith("\u00ef\u00bb\u00bf") ? line.slice(3) : line;
}
