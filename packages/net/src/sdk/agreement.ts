import { type Policy, WIRE_VERSION } from "@coterie/core";
import { EXCHANGE_VERSION } from "../exchange/message.ts";
import { sha256Hex } from "../sha256.ts";
import type { RewardRange } from "./rewards.ts";

/** What peers must have in common before a number of one means anything to another. */
export interface Terms {
  readonly room: string;
  /** Of the features. */
  readonly fingerprint: string;
  readonly policy: Policy;
  /** Rewards travel in units of it. */
  readonly range: RewardRange;
}

/** The terms as 64 hex digits: the same for the same terms, in whatever order options were given. */
export function termsOf({ room, fingerprint, policy, range }: Terms): string {
  const { kind, options } = policy;
  return sha256Hex(canonical({ room, features: fingerprint, policy: { kind, options }, range }));
}

/** What is compared before an exchange: the terms, and the versions of what is spoken. A store outlasts those. */
export function agreementOf(terms: string): string {
  return sha256Hex(canonical({ terms, wire: WIRE_VERSION, exchange: EXCHANGE_VERSION, records: "signed" }));
}

/** JSON in ASCII with sorted keys: one spelling for each value. */
function canonical(value: unknown): string {
  const sorted = (_: string, part: unknown): unknown =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  const spelled = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, sorted).replace(/[^\x20-\x7e]/g, spelled);
}
