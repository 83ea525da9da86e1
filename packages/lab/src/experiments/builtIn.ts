import type { Figure } from "../report/figures/spec.ts";
import type { Table } from "../report/tables/table.ts";
import type { Run } from "../results/read.ts";
import type { Result } from "../results/types.ts";

/** An experiment that comes with the lab: plain data, as anyone's own file would be. */
export interface BuiltIn {
  readonly name: string;
  /** One line for `coterie run --list`. */
  readonly title: string;
  /** What the file would hold. */
  readonly document: object;
  /** Its own figures of a finished run; without them, or where they are none, those that suit any experiment. */
  readonly figures?: (run: Run) => readonly Figure[];
  /** One table of the whole run, which says what came out; without it a table for each world. */
  readonly table?: (results: readonly Result[]) => Table;
}
