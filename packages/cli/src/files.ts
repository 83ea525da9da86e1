import { readFileSync } from "node:fs";
import { ConfigError } from "@coterie/core";

/** Reads a JSON file and hands it to `parse`; whatever is wrong, the sentence begins with the file's name. */
export function readJson<T>(path: string, parse: (document: unknown) => T): T {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const found = code === "ENOENT" ? undefined : code === "EISDIR" ? "a folder" : code;
    throw new ConfigError(path, found, "be a file that can be read");
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new ConfigError(path, text, `be JSON (${message})`);
  }
  try {
    return parse(document);
  } catch (error) {
    throw inFile(path, error);
  }
}

/** The same where reading takes time. */
export async function loadJson<T>(path: string, load: (document: unknown) => Promise<T>): Promise<T> {
  const document = readJson<unknown>(path, (read) => read);
  try {
    return await load(document);
  } catch (error) {
    throw inFile(path, error);
  }
}

const inFile = (path: string, error: unknown): unknown =>
  error instanceof ConfigError ? new ConfigError(`${path}: ${error.field}`, error.value, error.bound) : error;
