import { ConfigError, type Policy } from "@coterie/core";
import { WIRE_VERSION } from "@coterie/core/internal";
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

/** Hex digits of the digest that terms begin with. */
const DIGITS = 64;

/** The terms as text: a digest, the same in whatever order options were given; and behind it the room, for people. */
export function termsOf({ room, fingerprint, policy, range }: Terms): string {
  const { kind, options } = policy;
  return `${sha256Hex(canonical({ room, features: fingerprint, policy: { kind, options }, range }))} ${room}`;
}

/** The room in terms. */
export const roomOf = (terms: string): string => terms.slice(DIGITS + 1);

/** For what was made under other terms that are not known: names the two rooms, or says that it is not the room that differs. */
export function otherTerms(field: "store" | "import", found: string, wanted: string): ConfigError {
  const [made, room] = [roomOf(found), roomOf(wanted)];
  const what = `of room ${made}${made === room ? ", with other ones" : ""}`;
  return new ConfigError(field, what, `be of room ${room}, with the same features, policy and range of rewards`);
}

/** What is compared before an exchange: the terms, and the versions of what is spoken. A store outlasts those. */
export function agreementOf(terms: string): string {
  return sha256Hex(
    canonical({ terms: terms.slice(0, DIGITS), wire: WIRE_VERSION, exchange: EXCHANGE_VERSION, records: "signed" }),
  );
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
