/**
 * Three kinds of fault, told apart because each has another remedy:
 * the caller's (`ConfigError`), the other peer's (`ProtocolViolation`) and our own (`InvariantError`).
 */

/** The caller passed something out of bounds. Nothing was changed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(
    /** Where, as a path: `radius.alpha`, `rounds[3].arms[0][2]`. */
    readonly field: string,
    /** What stood there. */
    readonly value: unknown,
    /** What should have stood there, as the end of "must …". */
    readonly bound: string,
  ) {
    super(`${field} must ${bound}, but is ${show(value)}`);
  }
}

/** Why a partner's frame was dropped; operators count by it. */
export type ViolationReason =
  | "truncated"
  | "too-long"
  | "version"
  | "mismatch"
  | "not-finite"
  | "out-of-range"
  | "not-covariance"
  /** A signature that is not its origin's: found by the host, which has the keys. */
  | "forged"
  /** Two records of one version that their origin signed. */
  | "equivocation"
  /** A round far from that of everybody else. */
  | "leap";

/** Another peer sent something that no correct peer sends. Drop it, count it, go on. */
export class ProtocolViolation extends Error {
  override readonly name = "ProtocolViolation";
  constructor(
    readonly reason: ViolationReason,
    readonly field: string,
    readonly value: unknown,
    readonly bound: string,
  ) {
    super(`${field} must ${bound}, but is ${show(value)}`);
  }
}

/** What is being read, for complaints. A name that has to be put together is made only when one is due. */
export type Field = string | (() => string);

export const nameOf = (field: Field): string => (typeof field === "string" ? field : field());

/** A number of another peer's that lies from `least` to `most`. What is far out of range may be no number at all. */
export function within(field: Field, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value;
  throw new ProtocolViolation("out-of-range", nameOf(field), value, `lie from ${least} to ${most}`);
}

/** We broke a promise of our own. The state is not to be trusted any more. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Stops at once when one of our own promises is broken; always on, in production too. */
export function assert(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new InvariantError(`broken invariant: ${promise}`);
}

/** A value as it appears in a message: short, and never throwing whatever it is. */
export function show(value: unknown): string {
  if (typeof value === "string") return clip(JSON.stringify(value));
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return `${value}`;
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (typeof value === "object") return clip(`an object with ${Object.keys(value).join(", ") || "no field"}`);
  return `a ${typeof value}`;
}

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
