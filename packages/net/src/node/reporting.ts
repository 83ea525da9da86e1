import { type PeerId, ProtocolViolation } from "@coterie/core";
import {
  decodeReportAnswers,
  decodeReports,
  encodeReportAnswers,
  encodeReports,
  REPORT_LIMITS,
  type ReportAnswer,
} from "../exchange/report.ts";
import { TokenError } from "../token/error.ts";
import { type MeetingEffect, type MeetingEvent, write } from "./event.ts";
import type { Life } from "./journal.ts";
import { MOST_QUEUED, type QueuedReport, queued, reported } from "./reportQueue.ts";

/** What happens with reports for other peers, and with theirs for this one. */
export type ReportingEvent = Extract<
  MeetingEvent,
  { kind: "report" | "report-due" | "report-answered" | "reports" | "judged" }
>;

export interface ReportingConfig {
  readonly admits: (peer: PeerId) => boolean;
  /** Those believed alive. */
  readonly alive: () => readonly PeerId[];
  /** A partner broke the protocol. */
  readonly count: (violation: ProtocolViolation, partner: PeerId) => MeetingEffect[];
}

/** Between two messages to one peer: ten a second are a tenth of what it takes from one caller. */
const PACE_MS = 100;
/** After a failure, doubled with each further one. Whoever comes into view is asked at once. */
const BACK_OFF_MS = 1000;
const MOST_BACK_OFF_MS = 60_000;
/** Timers count in 31 bits. */
const MOST_WAIT_MS = 1_000_000_000;

/** What is known of a way to a chooser. */
interface Way {
  /** Told and not answered yet; null where nothing is under way. */
  sent: readonly QueuedReport[] | null;
  failures: number;
  /** Nothing is sent before this date. */
  notBefore: number;
}

/**
 * Takes reports to the peers that chose: written down first, then told, again and again until the chooser has answered or
 * their time is up. That one may hear a report twice, and counts it once. A chooser out of view is waited for.
 */
export class Reporting {
  readonly #config: ReportingConfig;
  readonly #life: () => Life;
  readonly #ways = new Map<PeerId, Way>();

  constructor(config: ReportingConfig, life: () => Life) {
    this.#config = config;
    this.#life = life;
  }

  /** What was queued in an earlier life is told in this one. */
  start(): MeetingEffect[] {
    return this.#life().queue.size === 0 ? [] : [reportIn(0)];
  }

  /** Somebody came into view. */
  joined(peer: PeerId): MeetingEffect[] {
    if (this.#life().queue.first(peer, 1).length === 0) return [];
    const way = this.#ways.get(peer);
    if (way !== undefined) way.notBefore = Number.NEGATIVE_INFINITY;
    return [reportIn(0)];
  }

  step(event: ReportingEvent): MeetingEffect[] {
    switch (event.kind) {
      case "report":
        return this.#take(event.report);
      case "report-due":
        return this.#tell(event.date);
      case "report-answered":
        return this.#answered(event.to, event.answer, event.date);
      case "reports":
        return this.#heard(event.call, event.from, event.message);
      case "judged":
        return [{ kind: "reply", call: event.call, answer: encodeReportAnswers(event.answers) }];
    }
  }

  #take(report: QueuedReport): MeetingEffect[] {
    const { queue } = this.#life();
    // An answer must not be ahead of the disk, not even that it was taken before.
    if (queue.has(report)) return write([], [], true);
    if (queue.size >= MOST_QUEUED) {
      throw new TokenError(
        "full",
        `${MOST_QUEUED} reports wait for other peers already: let another worker take this one`,
      );
    }
    queue.add(report);
    // In a turn of its own: whoever reports waits for the disk, not for the chooser.
    return write([queued(report)], [reportIn(0)]);
  }

  #tell(date: number): MeetingEffect[] {
    const { queue } = this.#life();
    const late = queue.late(date);
    const ended = late.flatMap((report) => this.#end(report, "expired"));
    for (const [peer, { sent }] of this.#ways)
      if (sent === null && queue.first(peer, 1).length === 0) this.#ways.delete(peer);
    const alive = new Set(this.#config.alive());
    const sent = queue.choosers().flatMap((chooser) => (alive.has(chooser) ? this.#send(chooser, date) : []));
    return [...write(late.map(reported), ended), ...sent, ...this.#next(date, alive)];
  }

  #send(to: PeerId, date: number): MeetingEffect[] {
    const way = this.#wayTo(to);
    // A clock that was put back must not make anybody wait for longer than the longest back-off.
    if (way.notBefore > date + MOST_BACK_OFF_MS) way.notBefore = date;
    if (way.sent !== null || way.notBefore > date) return [];
    way.sent = this.#life().queue.first(to, REPORT_LIMITS.reports);
    return [{ kind: "tell-reports", to, message: encodeReports(way.sent) }];
  }

  #answered(to: PeerId, answer: Uint8Array | null, date: number): MeetingEffect[] {
    const way = this.#wayTo(to);
    const sent = way.sent ?? [];
    way.sent = null;
    const [answers, complaints] = this.#read(to, answer, sent.length);
    if (answers === null) {
      way.failures += 1;
      way.notBefore = date + Math.min(MOST_BACK_OFF_MS, BACK_OFF_MS * 2 ** (way.failures - 1));
      return [...complaints, ...this.#next(date)];
    }
    way.failures = 0;
    way.notBefore = date + PACE_MS;
    const ended = sent.flatMap((report, k) => this.#end(report, answers[k]!));
    if (this.#life().queue.first(to, 1).length === 0) this.#ways.delete(to);
    return [...write(sent.map(reported), ended), ...this.#next(date)];
  }

  #read(to: PeerId, answer: Uint8Array | null, count: number): [ReportAnswer[] | null, MeetingEffect[]] {
    if (answer === null) return [null, []];
    try {
      return [decodeReportAnswers(answer, count), []];
    } catch (error) {
      return [null, error instanceof ProtocolViolation ? this.#config.count(error, to) : []];
    }
  }

  /** No longer queued: what became of it is told once that is on the disk. */
  #end(report: QueuedReport, answer: ReportAnswer): MeetingEffect[] {
    this.#life().queue.remove(report);
    const { kind: what, chooser, token, value } = report;
    return [{ kind: "tell", event: { kind: "reported", what, chooser, token, value, answer } }];
  }

  /** When there is something to do again, unless somebody comes before. */
  #next(date: number, alive: ReadonlySet<PeerId> = new Set(this.#config.alive())): MeetingEffect[] {
    const { queue } = this.#life();
    if (queue.size === 0) return [];
    let at = queue.earliest;
    for (const chooser of queue.choosers()) {
      const { sent, notBefore } = this.#wayTo(chooser);
      if (sent === null && alive.has(chooser)) at = Math.min(at, notBefore);
    }
    return [reportIn(Math.min(MOST_WAIT_MS, Math.max(0, at - date)))];
  }

  #wayTo(peer: PeerId): Way {
    const known = this.#ways.get(peer) ?? { sent: null, failures: 0, notBefore: Number.NEGATIVE_INFINITY };
    this.#ways.set(peer, known);
    return known;
  }

  #heard(call: number, from: PeerId, message: Uint8Array): MeetingEffect[] {
    try {
      const reports = decodeReports(message);
      if (this.#config.admits(from)) return [{ kind: "judge", call, reports }];
      return [{ kind: "reply", call, answer: encodeReportAnswers(reports.map(() => "refused")) }];
    } catch (error) {
      const counted = error instanceof ProtocolViolation ? this.#config.count(error, from) : [];
      return [...counted, { kind: "reject", call, error }];
    }
  }
}

const reportIn = (ms: number): MeetingEffect => ({ kind: "report-in", ms });
