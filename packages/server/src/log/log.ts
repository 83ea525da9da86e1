import { check } from "@coterie/core";

export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, unknown>>;

/** Writes down what happens, for people on a terminal and for programs elsewhere. */
export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export interface ProcessLogOptions {
  readonly level: LogLevel;
  /** One line a person reads, in place of JSON. */
  readonly readable: boolean;
  readonly write: (line: string) => void;
  readonly now?: () => Date;
}

export const parseLevel = (field: string, value: string): LogLevel => check.oneOf(field, value, LOG_LEVELS);

/** The same message more often than this within the window is only counted: a stranger must not fill the disk. */
const MOST_PER_WINDOW = 30;
const WINDOW_MS = 10_000;

export function createLog({ level, readable, write, now = () => new Date() }: ProcessLogOptions): Log {
  const shown = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1);
  const counts = new Map<string, { since: number; lines: number }>();
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (!shown.includes(name)) return;
      const time = now();
      const withheld = name === "debug" ? 0 : excess(counts, message, time.getTime());
      if (withheld === null) return;
      const all = withheld === 0 ? fields : { ...fields, withheld };
      write(readable ? line(time, name, message, all) : json(time, name, message, all));
    };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

/** How many lines of this message were withheld before this one; null where this one is, too. */
function excess(counts: Map<string, { since: number; lines: number }>, message: string, nowMs: number): number | null {
  const found = counts.get(message);
  if (found === undefined || nowMs - found.since >= WINDOW_MS) {
    counts.set(message, { since: nowMs, lines: 1 });
    return Math.max(0, (found?.lines ?? 0) - MOST_PER_WINDOW);
  }
  found.lines += 1;
  return found.lines > MOST_PER_WINDOW ? null : 0;
}

function json(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  const plain = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainly(value)]));
  return `${JSON.stringify({ time: time.toISOString(), level, message, ...plain })}\n`;
}

function line(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  const parts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(plainly(value))}`);
  return `${time.toISOString().slice(11, 23)} ${level.padEnd(5)} ${message}${parts.join("")}\n`;
}

const plainly = (value: unknown): unknown => (value instanceof Error ? (value.stack ?? value.message) : value);

/** JSON lines on standard error; readable ones on a terminal. */
export const processLog = (level: LogLevel): Log =>
  createLog({ level, readable: process.stderr.isTTY === true, write: (text) => process.stderr.write(text) });
