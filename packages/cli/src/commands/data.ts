import { existsSync } from "node:fs";
import { ConfigError } from "@coterie/core";
import {
  type CheckResult,
  checkDataset,
  datasetDirectory,
  fetchDataset,
  importDataset,
  listDatasets,
} from "@coterie/lab";
import { buildCommand, buildRouteMap } from "@stricli/core";
import { CheckNotMet, guarded, interruptible } from "../guard.ts";
import { ProgressLine } from "../progress.ts";

interface JsonFlag {
  readonly json: boolean;
}

const json = { kind: "boolean", default: false, withNegated: false, brief: "print JSON" } as const;
const name = { brief: "a dataset (coterie data list)", parse: String, placeholder: "NAME" } as const;
const directory = { brief: "where its official files are", parse: String, placeholder: "DIR" } as const;

const listCommand = buildCommand<JsonFlag>({
  docs: { brief: "What is known: names, terms, and where they are on this machine" },
  parameters: { flags: { json } },
  func(flags) {
    return guarded(async () => {
      const datasets = await listDatasets();
      if (flags.json) return print({ datasets });
      for (const { name, title, terms, directory } of datasets) {
        process.stdout.write(`${name.padEnd(16)}${title}\n${"".padEnd(16)}terms: ${terms}\n`);
        process.stdout.write(`${"".padEnd(16)}${directory === null ? "not on this machine yet" : `at ${directory}`}\n`);
      }
    });
  },
});

const importCommand = buildCommand<JsonFlag, [string, string]>({
  docs: { brief: "Read a directory of official files and remember where it is" },
  parameters: { flags: { json }, positional: { kind: "tuple", parameters: [name, directory] } },
  func(flags, dataset, path) {
    return guarded(async () => {
      requireDirectory(path);
      show(await importDataset(dataset, path), flags.json);
    });
  },
});

const checkCommand = buildCommand<JsonFlag, [string, string?]>({
  docs: {
    brief: "Compare a copy with the published counts",
    fullDescription:
      "Compares the copy in DIR, or the one on this machine, with the counts its authors publish. A copy that is not complete is called partial, and the exit code is 3.",
  },
  parameters: { flags: { json }, positional: { kind: "tuple", parameters: [name, { ...directory, optional: true }] } },
  func(flags, dataset, path) {
    return guarded(async () => {
      const place = path ?? (await datasetDirectory(dataset));
      requireDirectory(place);
      const result = await checkDataset(dataset, place);
      show(result, flags.json);
      if (result.status !== "complete")
        throw new CheckNotMet(`${place} is a ${result.status} copy of ${result.dataset}`);
    });
  },
});

const fetchCommand = buildCommand<JsonFlag & { readonly from?: string }, [string]>({
  docs: { brief: "Download from the official place, with resume, and check" },
  parameters: {
    flags: {
      json,
      from: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "another server with the same layout",
        placeholder: "URL",
      },
    },
    positional: { kind: "tuple", parameters: [name] },
  },
  func(flags, dataset) {
    return guarded(async () => {
      const line = new ProgressLine();
      const result = await fetchDataset(dataset, {
        ...(flags.from !== undefined && { baseUrl: flags.from }),
        signal: interruptible(),
        onProgress: ({ receivedBytes, totalBytes }) => line.show(() => bar(receivedBytes, totalBytes)),
      }).finally(() => line.clear());
      show(result, flags.json);
    });
  },
});

export const dataCommands = buildRouteMap({
  routes: { list: listCommand, import: importCommand, fetch: fetchCommand, check: checkCommand },
  docs: { brief: "Datasets: list, import, fetch, check" },
});

const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

function requireDirectory(path: string): void {
  if (!existsSync(path)) throw new ConfigError("the directory", path, "be an existing directory");
}

function show(result: CheckResult, asJson: boolean): void {
  if (asJson) {
    print(result);
    return;
  }
  process.stdout.write(`${result.dataset}: ${result.status}\n`);
  for (const { what, found, published } of result.counts) {
    process.stdout.write(`  ${what.padEnd(18)}${found ?? "unknown"} of ${published} published\n`);
  }
  for (const { file, needed } of result.missing)
    process.stdout.write(`  ${file} is missing${needed ? "" : " (not needed)"}\n`);
  for (const note of result.notes) process.stdout.write(`  ${note.what}: ${note.rows} rows, first ${note.first}\n`);
}

function bar(received: number, total: number | null): string {
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  if (total === null || total === 0) return megabytes(received);
  const done = Math.min(1, received / total);
  const filled = Math.round(done * 30);
  return `[${"#".repeat(filled)}${"-".repeat(30 - filled)}] ${Math.round(done * 100)} % of ${megabytes(total)}`;
}
