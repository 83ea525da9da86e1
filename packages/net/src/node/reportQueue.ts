import { type PeerId, type Reader, Writer } from "@coterie/core";
import { type ChoiceReport, readReport, writeReport } from "../exchange/report.ts";
import type { Entry } from "../store/store.ts";

/** A report that waits until the peer that chose has answered. */
export interface QueuedReport extends ChoiceReport {
  readonly chooser: PeerId;
  /** When it is given up, in milliseconds since 1970. */
  readonly until: number;
}

/** So many may wait: 150 bytes each on the disk. */
export const MOST_QUEUED = 100_000;

export const QUEUED = "report-queued";
export const REPORTED = "report-done";

/** Reports for other peers, in the order in which they came. */
export class ReportQueue {
  readonly #of = new Map<PeerId, Map<string, QueuedReport>>();
  #size = 0;
  /** None is given up before. */
  #earliest = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#size;
  }

  /** Those with a report that waits for them. */
  choosers(): PeerId[] {
    return [...this.#of.keys()];
  }

  has(report: QueuedReport): boolean {
    return this.#of.get(report.chooser)?.has(keyOf(report)) ?? false;
  }

  /** The oldest `most` for one peer. */
  first(chooser: PeerId, most: number): QueuedReport[] {
    const found: QueuedReport[] = [];
    for (const report of this.#of.get(chooser)?.values() ?? []) {
      if (found.length === most) break;
      found.push(report);
    }
    return found;
  }

  add(report: QueuedReport): void {
    if (this.has(report)) return;
    const those = this.#of.get(report.chooser) ?? new Map<string, QueuedReport>();
    this.#of.set(report.chooser, those.set(keyOf(report), report));
    this.#size += 1;
    this.#earliest = Math.min(this.#earliest, report.until);
  }

  remove(report: QueuedReport): void {
    const those = this.#of.get(report.chooser);
    if (those?.delete(keyOf(report)) !== true) return;
    this.#size -= 1;
    if (those.size === 0) this.#of.delete(report.chooser);
  }

  /** When the next one is given up, at the earliest. */
  get earliest(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.#earliest;
  }

  /** Those whose time is up. */
  late(date: number): QueuedReport[] {
    const late: QueuedReport[] = [];
    if (date < this.#earliest) return late;
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const report of this.all()) {
      if (report.until <= date) late.push(report);
      else this.#earliest = Math.min(this.#earliest, report.until);
    }
    return late;
  }

  *all(): Generator<QueuedReport> {
    for (const those of this.#of.values()) yield* those.values();
  }

  save(): Uint8Array {
    const out = new Writer();
    out.u32(this.#size);
    for (const report of this.all()) writeQueued(out, report);
    return out.bytes();
  }

  load(from: Reader): void {
    for (let left = from.u32("reports"); left > 0; left--) this.add(readQueued(from));
  }

  /** Lives through one of its entries again; false for another one. */
  relive(kind: string, from: Reader): boolean {
    if (kind === QUEUED) this.add(readQueued(from));
    else if (kind === REPORTED) this.remove(readQueued(from));
    else return false;
    return true;
  }
}

/** From now on it waits. */
export const queued = (report: QueuedReport): Entry => entryOf(QUEUED, report);

/** It was answered, or given up. */
export const reported = (report: QueuedReport): Entry => entryOf(REPORTED, report);

function entryOf(kind: string, report: QueuedReport): Entry {
  const out = new Writer();
  writeQueued(out, report);
  return { kind, body: out.bytes() };
}

/** Of one choice one reward waits, the first; a slate may be seen further down again and again. */
const keyOf = ({ kind, token, value }: ChoiceReport): string =>
  kind === "shown" ? `${kind} ${value} ${token}` : `${kind} ${token}`;

function writeQueued(out: Writer, report: QueuedReport): void {
  out.text(report.chooser);
  out.f64(report.until);
  writeReport(out, report);
}

const readQueued = (from: Reader): QueuedReport => ({
  chooser: from.text("chooser"),
  until: from.f64("until"),
  ...readReport(from),
});
