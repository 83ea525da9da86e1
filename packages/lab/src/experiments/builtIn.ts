import type { Figure } from "../report/figures/spec.ts";
import type { Run } from "../results/read.ts";

/** An experiment that comes with the lab: plain data, as anyone's own file would be. */
export interface BuiltIn {
  readonly name: string;
  /** One line for `coterie run --list`. */
  readonly title: string;
  /** What the file would hold. */
  readonly document: object;
  /** Its own figures of a finished run; without them, or where they are none, those that suit any experiment. */
  readonly figures?: (run: Run) => readonly Figure[];
}
