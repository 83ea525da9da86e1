import { Reader, Writer } from "@coterie/core";
import type { Admitted, Annex } from "../host/host.ts";
import type { Entry } from "../store/store.ts";
import { otherTerms } from "./agreement.ts";
import {
  type ChoiceId,
  complain,
  ENDS,
  type Pending,
  readId,
  readPending,
  readUnseen,
  SETTLED,
  type Settled,
  writeId,
  writePending,
  writeUnseen,
} from "./choiceEntries.ts";

/** Settled choices that are still recognised. Whoever repeats a reward does so within seconds, not thousands of choices. */
const MOST_SETTLED = 16_384;
/** Pending ones, so that an app that never rewards fills neither the memory nor the disk. */
const MOST_PENDING = 200_000;
const MOST_PENDING_BYTES = 32 * 1024 * 1024;

/** How many choices may wait where the app does not say: 200,000, or what 32 MiB of arms hold if that is less. */
export const mostPending = (dimension: number): number =>
  Math.min(MOST_PENDING, Math.max(16, Math.floor(MOST_PENDING_BYTES / (8 * dimension))));

/** What became of the choices: which ones wait, and which ones are done with; and of which app they all are. */
export class Ledger implements Annex {
  #pending = new Map<ChoiceId, Pending>();
  #settled = new Map<ChoiceId, Settled>();
  readonly #dimension: number;
  readonly #terms: string;
  /** Unseen choices by slate, in order of their places. */
  #slates = new Map<ChoiceId, Set<ChoiceId>>();
  /** How many may wait. */
  readonly most: number;
  #isNew = true;
  /** No pending choice is due before. */
  #earliest = Number.POSITIVE_INFINITY;

  /** `terms` say what the store's numbers mean (`termsOf`): one store is for one app. */
  constructor(dimension: number, terms: string, most: number = mostPending(dimension)) {
    this.#dimension = dimension;
    this.#terms = terms;
    this.most = most;
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

  /** The choices of a slate that nobody has seen yet, in order of their places. */
  unseen(slate: ChoiceId): Pending[] {
    return [...(this.#slates.get(slate) ?? [])].flatMap((id) => this.#pending.get(id) ?? []);
  }

  knows(id: ChoiceId): boolean {
    return this.#pending.has(id) || this.#settled.has(id);
  }

  add(pending: Pending): void {
    const { id, due, unseen } = pending;
    this.#pending.set(id, pending);
    this.#earliest = Math.min(this.#earliest, due);
    if (unseen === undefined) return;
    const slate = this.#slates.get(unseen.slate) ?? new Set();
    this.#slates.set(unseen.slate, slate.add(id));
  }

  /** Those whose time is up. */
  due(now: number): Pending[] {
    const late: Pending[] = [];
    if (now < this.#earliest) return late;
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const pending of this.#pending.values()) {
      if (pending.due <= now) late.push(pending);
      else this.#earliest = Math.min(this.#earliest, pending.due);
    }
    return late;
  }

  /** The oldest beyond the most that are kept; cheap where there are few. */
  excess(): Pending[] {
    const oldest: Pending[] = [];
    for (const pending of this.#pending.values()) {
      if (this.#pending.size - oldest.length <= this.most) break;
      oldest.push(pending);
    }
    return oldest;
  }

  /** Somebody has seen it: from now on it waits as any other choice does. */
  show(id: ChoiceId, due: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#forget(pending);
    this.add({ id, arm: pending.arm, due });
  }

  /** Nobody will see it from `due` on; what was said before that may still come. */
  close(id: ChoiceId, due: number): void {
    const pending = this.#pending.get(id);
    if (pending?.unseen === undefined || pending.unseen.closed) return;
    this.add({ ...pending, due: Math.min(pending.due, due), unseen: { ...pending.unseen, closed: true } });
  }

  #forget({ id, unseen }: Pending): void {
    this.#pending.delete(id);
    const slate = unseen === undefined ? undefined : this.#slates.get(unseen.slate);
    slate?.delete(id);
    if (slate?.size === 0) this.#slates.delete(unseen!.slate);
  }

  settle(id: ChoiceId, how: Settled): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) this.#forget(pending);
    this.#settled.set(id, how);
    if (this.#settled.size <= MOST_SETTLED) return;
    for (const oldest of this.#settled.keys()) {
      this.#settled.delete(oldest);
      break;
    }
  }

  relive(entry: Entry): boolean {
    const from = new Reader(entry.body, complain);
    if (entry.kind === "choice") this.#addOnce(readPending(from, this.#dimension));
    else if (entry.kind === "choice-unseen")
      this.#addOnce({ ...readPending(from, this.#dimension), unseen: readUnseen(from) });
    else if (entry.kind === "choice-shown") this.show(readId(from), from.f64("due"));
    else if (entry.kind === "choice-closed") this.close(readId(from), from.f64("due"));
    else if (ENDS.has(entry.kind)) this.settle(readId(from), ENDS.get(entry.kind)!);
    else if (entry.kind === "terms") this.#checkTerms(from);
    else return false;
    from.end(entry.kind);
    return true;
  }

  /**
   * What another tab has asked for. A choice that was settled before settles nothing again, and nothing of it is done; of many
   * that end together, those are left out.
   */
  admit(entries: readonly Entry[]): Admitted {
    const idOf = ({ body }: Entry): ChoiceId => readId(new Reader(body, complain));
    const ends = entries.filter(({ kind }) => ENDS.has(kind));
    const how = ends.length === 1 ? this.#settled.get(idOf(ends[0])) : undefined;
    if (how !== undefined) return { fresh: [], settled: how };
    const fresh = entries.filter((entry) => {
      if (entry.kind === "choice" || entry.kind === "choice-unseen") return !this.knows(idOf(entry));
      return !entry.kind.startsWith("choice-") || !this.#settled.has(idOf(entry));
    });
    for (const entry of fresh) this.relive(entry);
    return { fresh, settled: null };
  }

  clear(): void {
    this.#pending.clear();
    this.#settled.clear();
    this.#slates.clear();
    this.#earliest = Number.POSITIVE_INFINITY;
    this.#isNew = true;
  }

  save(): Uint8Array {
    const out = new Writer();
    out.text(this.#terms);
    out.u32(this.#pending.size);
    for (const pending of this.#pending.values()) writePending(out, pending);
    out.u32(this.#settled.size);
    for (const [id, how] of this.#settled) {
      writeId(out, id);
      out.u8(SETTLED.indexOf(how));
    }
    this.#saveUnseen(out);
    return out.bytes();
  }

  /** At the end, and only where there are any: that is what an earlier version lacks. */
  #saveUnseen(out: Writer): void {
    if (this.#slates.size === 0) return;
    const unseen = [...this.#slates.keys()].flatMap((slate) => this.unseen(slate));
    out.u32(unseen.length);
    for (const pending of unseen) {
      writeId(out, pending.id);
      writeUnseen(out, pending.unseen!);
    }
  }

  #loadUnseen(from: Reader): void {
    for (let left = from.u32("unseen"); left > 0; left--) {
      const pending = this.#pending.get(readId(from));
      const unseen = readUnseen(from);
      // In its old place: a map keeps the order in which keys first came.
      if (pending !== undefined) this.add({ ...pending, unseen });
    }
  }

  load(saved: Uint8Array): void {
    const from = new Reader(saved, complain);
    const read = new Ledger(this.#dimension, this.#terms, this.most);
    this.#checkTerms(from);
    for (let left = from.u32("pending"); left > 0; left--) read.add(readPending(from, this.#dimension));
    for (let left = from.u32("settled"); left > 0; left--) {
      const id = readId(from);
      read.#settled.set(id, SETTLED[from.u8("settled")] ?? "expired");
    }
    if (from.left > 0) read.#loadUnseen(from);
    from.end("choices");
    this.#pending = read.#pending;
    this.#settled = read.#settled;
    this.#slates = read.#slates;
    this.#earliest = read.#earliest;
  }

  /** Takes over the choices of another ledger, their arms as ours are. */
  adopt(other: Ledger, arm: (arm: Float64Array) => Float64Array): void {
    this.#pending = new Map();
    this.#slates = new Map();
    this.#settled = new Map(other.#settled);
    this.#earliest = Number.POSITIVE_INFINITY;
    this.#isNew = false;
    for (const pending of other.#pending.values()) this.add({ ...pending, arm: arm(pending.arm) });
  }

  #checkTerms(from: Reader): void {
    const found = from.text("terms");
    if (found !== this.#terms) throw otherTerms("store", found, this.#terms);
    this.#isNew = false;
  }

  /** A tab that shares its store hears of its own choices again. */
  #addOnce(pending: Pending): void {
    if (!this.knows(pending.id)) this.add(pending);
  }
}
