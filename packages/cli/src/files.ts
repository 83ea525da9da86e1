import { readFileSync } from "node:fs";
import { ConfigError } from "@coterie/core";

/** Reads a JSON file and hands it to `parse`; whatever is wrong, the sentence begins with the file's name. */
export function readJson<T>(path: string, parse: (document: unknown) => T): T {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(path, (error as NodeJS.ErrnoException).code ?? String(error), "be a file that can be read");
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(path, error instanceof Error ? error.message : error, "be JSON");
  }
  try {
    return parse(document);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${path}: ${error.field}`, error.value, error.bound);
    throw error;
  }
}
