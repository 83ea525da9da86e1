import { ConfigError, Reader, Writer } from "@coterie/core";
import { digitsOf, wordOf } from "../hex.ts";
import type { Annex } from "../host/host.ts";
import type { Entry } from "../store/store.ts";
import { otherTerms } from "./agreement.ts";

/** Names one choice: 64 random bits as 16 hex digits. */
export type ChoiceId = string;

/** A choice that waits for its reward. */
export interface Pending {
  readonly id: ChoiceId;
  readonly arm: Float64Array;
  /** When it stops waiting, in milliseconds since 1970. */
  readonly due: number;
}

export type Settled = "rewarded" | "expired";

/** Settled choices that are still recognised. Whoever repeats a reward does so within seconds, not thousands of choices. */
const MOST_SETTLED = 4096;
/** Pending ones, so that an app that never rewards fills neither the memory nor the disk. */
const MOST_PENDING = 10_000;
const MOST_PENDING_BYTES = 32 * 1024 * 1024;

/** What became of the choices: which ones wait, and which ones are done with; and of which app they all are. */
export class Ledger implements Annex {
  #pending = new Map<ChoiceId, Pending>();
  #settled = new Map<ChoiceId, Settled>();
  readonly #dimension: number;
  readonly #terms: string;
  readonly #most: number;
  #isNew = true;
  /** No pending choice is due before. */
  #earliest = Number.POSITIVE_INFINITY;

  /** `terms` say what the store's numbers mean (`termsOf`): one store is for one app. */
  constructor(dimension: number, terms: string) {
    this.#dimension = dimension;
    this.#terms = terms;
    this.#most = Math.min(MOST_PENDING, Math.max(16, Math.floor(MOST_PENDING_BYTES / (8 * dimension))));
  }

  /** Nobody has written down yet whose store this is. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** The entry that says whose store this is. */
  title(): Entry {
    const out = new Writer();
    out.text(this.#terms);
    this.#isNew = false;
    return { kind: "terms", body: out.bytes() };
  }

  get pending(): ReadonlyMap<ChoiceId, Pending> {
    return this.#pending;
  }

  get settled(): ReadonlyMap<ChoiceId, Settled> {
    return this.#settled;
  }

  /** Well beyond the most that are kept: somebody chooses, and nobody ticks. */
  get overfull(): boolean {
    return this.#pending.size > 1.125 * this.#most;
  }

  knows(id: ChoiceId): boolean {
    return this.#pending.has(id) || this.#settled.has(id);
  }

  add(pending: Pending): void {
    this.#pending.set(pending.id, pending);
    this.#earliest = Math.min(this.#earliest, pending.due);
  }

  /** Those whose time is up, and the oldest beyond the most that are kept. */
  due(now: number): Pending[] {
    let excess = this.#pending.size - this.#most;
    const due: Pending[] = [];
    if (excess <= 0 && now < this.#earliest) return due;
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const pending of this.#pending.values()) {
      this.#earliest = Math.min(this.#earliest, pending.due);
      if (excess-- > 0 || pending.due <= now) due.push(pending);
    }
    return due;
  }

  settle(id: ChoiceId, how: Settled): void {
    this.#pending.delete(id);
    this.#settled.set(id, how);
    if (this.#settled.size <= MOST_SETTLED) return;
    for (const oldest of this.#settled.keys()) {
      this.#settled.delete(oldest);
      break;
    }
  }

  relive(entry: Entry): boolean {
    const from = new Reader(entry.body, complain);
    if (entry.kind === "choice") this.add(this.#readPending(from));
    else if (entry.kind === "choice-rewarded") this.settle(readId(from), "rewarded");
    else if (entry.kind === "choice-expired") this.settle(readId(from), "expired");
    else if (entry.kind === "terms") this.#checkTerms(from);
    else return false;
    from.end(entry.kind);
    return true;
  }

  save(): Uint8Array {
    const out = new Writer();
    out.text(this.#terms);
    out.u32(this.#pending.size);
    for (const pending of this.#pending.values()) writePending(out, pending);
    out.u32(this.#settled.size);
    for (const [id, how] of this.#settled) {
      writeId(out, id);
      out.u8(how === "rewarded" ? 1 : 0);
    }
    return out.bytes();
  }

  load(saved: Uint8Array): void {
    const from = new Reader(saved, complain);
    const read = new Ledger(this.#dimension, this.#terms);
    this.#checkTerms(from);
    for (let left = from.u32("pending"); left > 0; left--) read.add(this.#readPending(from));
    for (let left = from.u32("settled"); left > 0; left--) {
      const id = readId(from);
      read.#settled.set(id, from.u8("settled") === 1 ? "rewarded" : "expired");
    }
    from.end("choices");
    this.#pending = read.#pending;
    this.#settled = read.#settled;
    this.#earliest = read.#earliest;
  }

  #checkTerms(from: Reader): void {
    const found = from.text("terms");
    if (found !== this.#terms) throw otherTerms("store", found, this.#terms);
    this.#isNew = false;
  }

  #readPending(from: Reader): Pending {
    const id = readId(from);
    const due = from.f64("due");
    const arm = new Float64Array(this.#dimension);
    from.f64s("arm", arm);
    return { id, due, arm };
  }
}

export function chosen(pending: Pending): Entry {
  const out = new Writer(ID_BYTES + 8 + 8 * pending.arm.length);
  writePending(out, pending);
  return { kind: "choice", body: out.bytes() };
}

export function settled(id: ChoiceId, how: Settled): Entry {
  const out = new Writer(ID_BYTES);
  writeId(out, id);
  return { kind: `choice-${how}`, body: out.bytes() };
}

const complain = (_: string, field: string, value: unknown, bound: string): Error =>
  new ConfigError(`choices: ${field}`, value, bound);

function writePending(out: Writer, { id, due, arm }: Pending): void {
  writeId(out, id);
  out.f64(due);
  out.f64s(arm);
}

/** Two words. */
const ID_BYTES = 8;

function writeId(out: Writer, id: ChoiceId): void {
  out.u32(wordOf(id, 0));
  out.u32(wordOf(id, 8));
}

const readId = (from: Reader): ChoiceId => choiceId(from.u32("id"), from.u32("id"));

export const choiceId = (high: number, low: number): ChoiceId => digitsOf(high) + digitsOf(low);
