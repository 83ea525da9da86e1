import { check } from "@coterie/core";
import type { ClustersConfig } from "./clusters/config.ts";
import { parseClusters } from "./clusters/parse.ts";
import { type DatasetConfig, parseDataset } from "./dataset.ts";

export type WorldConfig = ClustersConfig | DatasetConfig;

/** A world from plain data, `{ kind, … }`. */
export function parseWorld(field: string, value: check.Fields): WorldConfig {
  const kind = check.oneOf(check.join(field, "kind"), value.kind, ["clusters", "dataset"]);
  if (kind === "dataset") return parseDataset(field, value);
  return parseClusters(field, value);
}
