import { resolve } from "node:path";
import { ConfigError } from "@coterie/core";
import { type CheckResult, checkDataset } from "./check.ts";
import { dataDirectory } from "./directories.ts";
import { changeRegister } from "./register.ts";

/**
 * Checks a directory and registers it as the place of a dataset, by reference: nothing is copied.
 * A partial copy is taken (the result says so); another dataset is refused.
 */
export async function importDataset(
  name: string,
  directory: string,
  dataHome: string = dataDirectory(),
): Promise<CheckResult> {
  const result = await checkDataset(name, directory);
  if (result.status === "different") {
    const odd = result.counts.find(({ found, published }) => found !== published)!;
    throw new ConfigError(
      "directory",
      directory,
      `hold ${result.dataset} (${odd.published} ${odd.what}, not ${odd.found})`,
    );
  }
  const lacking = result.missing.filter(({ needed }) => needed).map(({ file }) => file);
  if (result.counts.every(({ found }) => found === null)) {
    throw new ConfigError("directory", directory, `hold ${lacking.join(" and ")} of ${result.dataset}`);
  }
  await changeRegister(dataHome, result.dataset, { directory: resolve(directory) });
  return result;
}
