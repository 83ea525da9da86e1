import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@coterie/core";

/** Those of the files that are in the directory, in the order given. That there is no directory is an error. */
export async function present(directory: string, files: readonly string[]): Promise<string[]> {
  const isDirectory = await stat(directory).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isDirectory) throw new ConfigError("directory", directory, "be a directory that can be read");
  const found: string[] = [];
  for (const file of files) {
    const isFile = await stat(join(directory, file)).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile) found.push(file);
  }
  return found;
}
