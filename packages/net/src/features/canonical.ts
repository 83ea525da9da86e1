import { sha256Hex } from "../sha256.ts";
import type { Feature, Meaning } from "./feature.ts";

/** Raised whenever the same declaration would give other numbers: another scale, another order of coordinates. */
const ENCODING = 1;

/** JSON in ASCII: any text at all, half surrogates too, in exactly one spelling. */
function canonical(value: object): string {
  const spelled = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, spelled);
}

interface Named {
  readonly name: string;
  readonly feature: Feature<never>;
}

/** What a schema declares, in the order of its coordinates. */
export interface Description {
  readonly item: readonly Named[];
  readonly context: readonly Named[];
  readonly cross: readonly (readonly [string, string])[];
}

/**
 * Features in the order of their coordinates. What is done about bad values is no part of what good ones mean. Without a
 * context and crosses it says nothing of them, so that a schema means what it did before there were any.
 */
export function describeSchema({ item, context, cross }: Description): string {
  return canonical({
    encoding: ENCODING,
    features: item.map(meaningOf),
    ...(context.length > 0 && { context: context.map(meaningOf) }),
    ...(cross.length > 0 && { cross }),
  });
}

const meaningOf = ({ name, feature }: Named): Meaning => ({ name, ...feature.meaning });

export const describeVectors = (dimension: number): string => canonical({ encoding: ENCODING, vectors: dimension });

/** The first half of the SHA-256 of a description. */
export const fingerprintOf = (description: string): string => sha256Hex(description).slice(0, 32);
