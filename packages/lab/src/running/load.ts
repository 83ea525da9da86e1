import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError } from "@coterie/core";
import type { PolicyMaker } from "./module.ts";
import { type Experiment, parseExperiment } from "./parse.ts";

/**
 * An experiment whose policies may come from modules: `{ "module": "./mine.mjs", …options }`. Paths are relative to
 * `directory`, where the experiment file is. A module is run, so run only those that you trust.
 */
export async function loadExperiment(document: unknown, directory: string): Promise<Experiment> {
  const makers = new Map<string, PolicyMaker>();
  const digests: Record<string, string> = {};
  for (const { field, path } of pathsIn(document)) {
    if (makers.has(path)) continue;
    const file = resolve(directory, path);
    digests[path] = await digestOf(field, path, file);
    makers.set(path, await makerIn(field, path, file));
  }
  return parseExperiment(document, makers.size === 0 ? null : { directory, makers, digests });
}

/** Where modules are named. Whatever else is wrong with a document `parseExperiment` says. */
function pathsIn(document: unknown): { field: string; path: string }[] {
  const { policies } = (document ?? {}) as { policies?: unknown };
  if (!Array.isArray(policies)) return [];
  return policies.flatMap((entry: unknown, k) => {
    const path = (entry as { module?: unknown } | null)?.module;
    return typeof path === "string" && path !== "" ? [{ field: `policies[${k}].module`, path }] : [];
  });
}

async function digestOf(field: string, path: string, file: string): Promise<string> {
  try {
    return createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(field, path, `be a JavaScript module beside the experiment file (${code ?? error})`);
  }
}

async function makerIn(field: string, path: string, file: string): Promise<PolicyMaker> {
  let loaded: { default?: unknown };
  try {
    loaded = await import(/* @vite-ignore */ pathToFileURL(file).href);
  } catch (error) {
    throw new ConfigError(field, path, `be a module that can be loaded (${firstLine(error)})`);
  }
  if (typeof loaded.default !== "function")
    throw new ConfigError(field, path, "have a function as its default export: options in, a policy out");
  return loaded.default as PolicyMaker;
}

const firstLine = (error: unknown): string => String(error).split("\n")[0]!;
