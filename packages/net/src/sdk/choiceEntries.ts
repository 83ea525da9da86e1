import { ConfigError, type Reader, Writer } from "@coterie/core";
import { digitsOf, wordOf } from "../hex.ts";
import type { Entry } from "../store/store.ts";

/** Names one choice: 64 random bits as 16 hex digits. */
export type ChoiceId = string;

/** A choice that waits for its reward. */
export interface Pending {
  readonly id: ChoiceId;
  readonly arm: Float64Array;
  /** When it stops waiting, in milliseconds since 1970. */
  readonly due: number;
  /** Where nobody has seen it yet: it is of a slate, and teaches nothing until it is shown. */
  readonly unseen?: Unseen | undefined;
}

/** Of which slate, and its place there. */
export interface Unseen {
  readonly slate: ChoiceId;
  readonly place: number;
  /**
   * The app said that nobody will see it any more. Another worker may have heard of a look or a reward before that: so it waits
   * for as long as such a word may be on its way, and only what was said before `due` counts.
   */
  readonly closed: boolean;
}

/** How a choice ended. Only `rewarded` and `expired` may teach anything. */
export type Settled =
  /** The app said what it was worth. */
  | "rewarded"
  /** Its time was up: the fallback was learnt, if there is one. */
  | "expired"
  /** Nobody saw it. */
  | "cancelled"
  /** There were too many others. */
  | "dropped";

/** As a byte: its place here. The first two are as old as the format. */
export const SETTLED: readonly Settled[] = ["expired", "rewarded", "cancelled", "dropped"];

/** Two words. */
const ID_BYTES = 8;

/** The entry of a choice that was made. */
export function chosen(pending: Pending): Entry {
  const out = new Writer(ID_BYTES + 8 + 8 * pending.arm.length);
  writePending(out, pending);
  if (pending.unseen === undefined) return { kind: "choice", body: out.bytes() };
  writeUnseen(out, pending.unseen);
  return { kind: "choice-unseen", body: out.bytes() };
}

/** Somebody has seen it, and it waits until `due`. */
export const shown = (id: ChoiceId, due: number): Entry => ({ kind: "choice-shown", body: dated(id, due) });

/** Nobody will see it from `due` on. */
export const closed = (id: ChoiceId, due: number): Entry => ({ kind: "choice-closed", body: dated(id, due) });

function dated(id: ChoiceId, due: number): Uint8Array {
  const out = new Writer(ID_BYTES + 8);
  writeId(out, id);
  out.f64(due);
  return out.bytes();
}

export function settled(id: ChoiceId, how: Settled): Entry {
  const out = new Writer(ID_BYTES);
  writeId(out, id);
  return { kind: `choice-${how}`, body: out.bytes() };
}

/** Kinds of entries that end a choice. */
export const ENDS: ReadonlyMap<string, Settled> = new Map(SETTLED.map((how) => [`choice-${how}`, how]));

export const complain = (_: string, field: string, value: unknown, bound: string): Error =>
  new ConfigError(`choices: ${field}`, value, bound);

export function writePending(out: Writer, { id, due, arm }: Pending): void {
  writeId(out, id);
  out.f64(due);
  out.f64s(arm);
}

export function readPending(from: Reader, dimension: number): Pending {
  const id = readId(from);
  const due = from.f64("due");
  const arm = new Float64Array(dimension);
  from.f64s("arm", arm);
  return { id, due, arm };
}

export function writeId(out: Writer, id: ChoiceId): void {
  out.u32(wordOf(id, 0));
  out.u32(wordOf(id, 8));
}

/** In its highest bit a place says whether it is closed. */
const CLOSED_BIT = 2 ** 31;

export function writeUnseen(out: Writer, { slate, place, closed: isClosed }: Unseen): void {
  writeId(out, slate);
  out.u32(isClosed ? place + CLOSED_BIT : place);
}

export function readUnseen(from: Reader): Unseen {
  const slate = readId(from);
  const place = from.u32("place");
  return { slate, place: place % CLOSED_BIT, closed: place >= CLOSED_BIT };
}

export const readId = (from: Reader): ChoiceId => choiceId(from.u32("id"), from.u32("id"));

export const choiceId = (high: number, low: number): ChoiceId => digitsOf(high) + digitsOf(low);
