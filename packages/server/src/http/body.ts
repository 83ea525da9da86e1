import type { Context } from "hono";
import { Problem } from "./problem.ts";

/** A hundred items of a thousand numbers, and some. */
export const MOST_BODY_BYTES = 4 * 1024 * 1024;

/**
 * The request's body as JSON. A page in somebody's browser can send anything but this type of content to an address of
 * this machine without being asked first, so nothing else is read.
 */
export async function readJson(c: Context): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Problem(415, `content-type must be application/json, but is ${type === "" ? "missing" : shown(type)}`);
  }
  const text = decode(await readBytes(c));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(400, `the body must be JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function readBytes(c: Context): Promise<Uint8Array> {
  const declared = Number(c.req.header("content-length") ?? 0);
  if (declared > MOST_BODY_BYTES) throw tooLong(declared);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The length is only what the caller says, and may be missing.
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) throw tooLong(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(size: number): Problem {
  return new Problem(413, `the body must have at most ${MOST_BODY_BYTES} bytes, but has ${size} or more`, {
    connection: "close",
  });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(400, "the body must be UTF-8");
  }
}

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
