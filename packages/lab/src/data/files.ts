import { createHash, randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { chunksOf } from "./reading/lines.ts";

/** A name beside `path` that nobody else uses. */
export const temporaryBeside = (path: string): string => `${path}.${randomBytes(6).toString("hex")}.tmp`;

/** Writes a file whole or not at all: under another name first, then renamed. */
export async function writeWhole(path: string, contents: string | Uint8Array): Promise<void> {
  const temporary = temporaryBeside(path);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, contents);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** SHA-256 of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(path)) hash.update(chunk);
  return hash.digest("hex");
}
