export {
  BENCHES,
  type Benched,
  type BenchLine,
  type BenchName,
  bench,
  lossesOf,
  parseSaved,
  type RatioLoss,
  type RoundsResult,
  type SavedBench,
  savedOf,
} from "./bench/index.ts";
export * from "./browser.ts";
export type { CheckResult } from "./data/check.ts";
export { checkDataset } from "./data/check.ts";
export { fetchDataset } from "./data/fetching/fetch.ts";
export { importDataset } from "./data/import.ts";
export { datasetDirectory, listDatasets } from "./data/where.ts";
export type { BatchedConfig } from "./engine/config.ts";
export { createLabFleet, type Engine, type FleetShape, fits } from "./engine/create.ts";
export { BatchedFleet } from "./engine/fleet.ts";
export { RandomPicks } from "./engine/random.ts";
export { type CoverageOptions, type CoverageRow, type Covered, checkCoverage } from "./evaluation/coverage.ts";
export type { BuiltIn } from "./experiments/builtIn.ts";
export { builtIn, builtIns, figuresOf, tableOf } from "./experiments/index.ts";
export { type Report, type ReportOptions, report } from "./report/report.ts";
export { terminalChart } from "./report/terminal/chart.ts";
export { terminalTable, textTable } from "./report/terminal/table.ts";
export { type Run, readRun } from "./results/read.ts";
export type { Checkpoint, Manifest, Result, Row } from "./results/types.ts";
export { type Cell, cellsOf, cellsOfShard, parseShard, type Shard, WHOLE } from "./running/cells.ts";
export { loadExperiment } from "./running/load.ts";
export { type Experiment, parseExperiment, withSeeds } from "./running/parse.ts";
export { defaultJobs, type Progress, type RunExperimentOptions, runExperiment } from "./running/run.ts";
export { runCell } from "./running/runCell.ts";
export { type OverThreads, overThreads } from "./threads.ts";
export { VERSION } from "./version.ts";
export { createWorld } from "./worlds/create.ts";
