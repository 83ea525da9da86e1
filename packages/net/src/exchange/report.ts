import { ProtocolViolation, Reader, Writer } from "@coterie/core";

/**
 * What a worker that did not choose has to say of a choice, told to the peer that chose; and what that one made of it.
 *
 *     "Cr" | version u8 | type u8 | count u16 | …
 */
const MAGIC = 0x7243;
const REPORT_VERSION = 1;
const REPORTS = 1;
const ANSWERS = 2;

/** In one message; and letters of a token. */
export const REPORT_LIMITS = { reports: 256, tokenLength: 512 } as const;

const KINDS = ["reward", "shown", "cancel"] as const;
/** The choice was worth something; so many places of its slate were seen; the others never will be. */
export type ReportKind = (typeof KINDS)[number];

export interface ChoiceReport {
  readonly kind: ReportKind;
  /** Names the choice, or the first one of a slate. */
  readonly token: string;
  /** The reward, in the app's unit; or how many places. */
  readonly value: number;
  /** When the app said so, in milliseconds since 1970. */
  readonly taken: number;
}

export const REPORT_ANSWERS = [
  "learned",
  "duplicate",
  "expired",
  "cancelled",
  "dropped",
  "unknown",
  "noted",
  "forged",
  "refused",
] as const;
/**
 * What the chooser made of a report. Of a slate: `noted`. `forged`: its key is not the one that this token was made with;
 * `refused`: it cannot be paid so much, or has nothing to do with whoever reports.
 */
export type ReportAnswer = (typeof REPORT_ANSWERS)[number];

/** Whether a message is about reports. */
export const isOfReports = (message: Uint8Array): boolean =>
  message.length > 1 && (message[0]! | (message[1]! << 8)) === MAGIC;

export function encodeReports(reports: readonly ChoiceReport[]): Uint8Array {
  const out = begin(REPORTS, reports.length);
  for (const report of reports) writeReport(out, report);
  return out.bytes();
}

export function decodeReports(bytes: Uint8Array): ChoiceReport[] {
  const { from, count } = open(bytes, REPORTS);
  const reports: ChoiceReport[] = [];
  while (reports.length < count) reports.push(readReport(from));
  from.end("reports");
  return reports;
}

export function encodeReportAnswers(answers: readonly ReportAnswer[]): Uint8Array {
  const out = begin(ANSWERS, answers.length);
  for (const answer of answers) out.u8(REPORT_ANSWERS.indexOf(answer));
  return out.bytes();
}

/** `count`: to so many reports. */
export function decodeReportAnswers(bytes: Uint8Array, count: number): ReportAnswer[] {
  const { from, count: found } = open(bytes, ANSWERS);
  if (found !== count) throw new ProtocolViolation("mismatch", "answers", found, `be ${count}`);
  const answers = Array.from({ length: count }, () => pick(from, REPORT_ANSWERS, "answers"));
  from.end("answers");
  return answers;
}

export function writeReport(out: Writer, { kind, token, value, taken }: ChoiceReport): void {
  out.u8(KINDS.indexOf(kind));
  out.u16(token.length);
  // Of base64: a byte a letter.
  for (let k = 0; k < token.length; k++) out.u8(token.charCodeAt(k));
  out.f64(value);
  out.f64(taken);
}

export function readReport(from: Reader): ChoiceReport {
  const kind = pick(from, KINDS, "report");
  const length = from.u16("token");
  if (length > REPORT_LIMITS.tokenLength) {
    throw from.complain("too-long", "token", length, `have at most ${REPORT_LIMITS.tokenLength} letters`);
  }
  const token = String.fromCharCode(...from.raw("token", length));
  return { kind, token, value: from.f64("value"), taken: from.f64("taken") };
}

/** A disk is complained of in other words than a peer, so the reader knows them. */
function pick<T>(from: Reader, all: readonly T[], field: string): T {
  const code = from.u8(field);
  const found = all[code];
  if (found === undefined) throw from.complain("too-long", field, code, `be less than ${all.length}`);
  return found;
}

function begin(type: number, count: number): Writer {
  const out = new Writer();
  out.u16(MAGIC);
  out.u8(REPORT_VERSION);
  out.u8(type);
  out.u16(count);
  return out;
}

function open(bytes: Uint8Array, type: number): { from: Reader; count: number } {
  const from = new Reader(bytes, (reason, field, value, bound) => new ProtocolViolation(reason, field, value, bound));
  expect("version", "message.magic", from.u16("message.magic"), MAGIC);
  expect("version", "message.version", from.u8("message.version"), REPORT_VERSION);
  expect("mismatch", "message.type", from.u8("message.type"), type);
  const count = from.u16("count");
  if (count > REPORT_LIMITS.reports) {
    throw new ProtocolViolation("out-of-range", "count", count, `be at most ${REPORT_LIMITS.reports}`);
  }
  return { from, count };
}

function expect(reason: "version" | "mismatch", field: string, found: number, wanted: number): void {
  if (found !== wanted) throw new ProtocolViolation(reason, field, found, `be ${wanted}`);
}
