import type { Run } from "../../results/read.ts";
import { cellEntries } from "../../results/reading/cells.ts";
import type { Result } from "../../results/types.ts";
import type { CellValue, CellView } from "./spec.ts";

/** What a reading may look at for one result. */
export function viewOf(run: Run, result: Result): CellView {
  const { world, policy } = cellEntries(run.experiment, run.cells, result.cell);
  return { row: result.row, world, policy };
}

/** The value a reading gives for a cell; null where there is none. */
export function read(reading: CellValue, view: CellView): string | number | null {
  if (typeof reading === "function") return reading(view);
  let value: unknown = view;
  for (const name of reading.split(".")) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
  return typeof value === "string" || typeof value === "number" ? value : null;
}
