import { TIMES } from "./schema.ts";
import type { Part } from "./schemaFeatures.ts";

/** The product of two features: c = a ⊗ b, one coordinate for each pair of theirs, ‖c‖ = ‖a‖ ‖b‖ <= 1. */
export interface CrossPart {
  readonly name: string;
  readonly one: Part;
  readonly other: Part;
  readonly labels: readonly string[];
  readonly from: number;
  readonly end: number;
}

/** Writes a cross of an arm whose features are written; `at` is where the arm begins. */
export function writeCross(out: Float64Array, at: number, { one, other, from }: CrossPart): void {
  let to = at + from;
  for (let i = at + one.from; i < at + one.end; i++) {
    for (let j = at + other.from; j < at + other.end; j++) out[to++] = out[i] * out[j];
  }
}

export const crossName = (one: string, other: string): string => one + TIMES + other;

/** `=phone×news`, row by row: what follows each of the two names. A × within a value is written `\×`. */
export function crossLabels(one: readonly string[], other: readonly string[]): string[] {
  const right = other.map(level);
  return one.map(level).flatMap((a) =>
    right.map((b) => {
      const levels = [a, b].filter((text) => text !== "").join(TIMES);
      return levels === "" ? "" : `=${levels}`;
    }),
  );
}

const level = (label: string): string => label.replace(/^=/, "").replace(/[×\\]/g, "\\$&");
