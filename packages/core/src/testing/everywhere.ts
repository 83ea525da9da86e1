import { dcb } from "../policies/dcb.ts";
import { dccb } from "../policies/dccb.ts";
import { solo } from "../policies/solo.ts";
import { replay } from "../replay/replay.ts";
import { parseTrace } from "../replay/trace.ts";
import { type FixedRun, fixedRun } from "./fixed-run.ts";

/** What must come out the same in every engine: whole runs, and answers to traces. */
export interface Everywhere {
  readonly runs: Readonly<Record<string, FixedRun>>;
  /** As JSON, which writes a number so that no other reads the same. */
  readonly answers: readonly string[];
}

export function everywhere(traces: readonly unknown[]): Everywhere {
  return {
    runs: {
      solo: fixedRun(solo({ radius: { kind: "theory", norm: 1, noise: 0.5, delta: 0.05, weight: 1 } })),
      "dcb, thompson": fixedRun(dcb({ choice: "thompson" })),
      dccb: fixedRun(dccb({ threshold: { kind: "practical", factor: 0.5 } })),
    },
    answers: traces.map((trace) => JSON.stringify(replay(parseTrace(trace)))),
  };
}
