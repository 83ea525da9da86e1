import { ConfigError } from "../errors.ts";
import { text } from "../options.ts";

/**
 * Times as ISO 8601 in UTC, without a clock's own calendar: core has none. Days are counted by years that begin in March, so
 * that a leap day is the last of its year (Hinnant, "chrono-compatible low-level date algorithms").
 */

const DAY_MS = 86_400_000;
/** Days of 400 years, and from 0000-03-01 to 1970-01-01. */
const CYCLE = 146_097;
const EPOCH = 719_468;

/** 951825600500 -> "2000-02-29T12:00:00.500Z". */
export function isoTime(at: number): string {
  const days = Math.floor(at / DAY_MS);
  let rest = Math.floor(at - days * DAY_MS);
  const units = [3_600_000, 60_000, 1000].map((unit) => {
    const whole = Math.floor(rest / unit);
    rest -= whole * unit;
    return digits(whole, 2);
  });
  return `${dateOf(days)}T${units.join(":")}.${digits(rest, 3)}Z`;
}

function dateOf(days: number): string {
  const shifted = days + EPOCH;
  const cycle = Math.floor(shifted / CYCLE);
  const day = shifted - cycle * CYCLE;
  const year = Math.floor(
    (day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / (CYCLE - 1))) / 365,
  );
  const ofYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const ofMonth = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const calendar = month < 10 ? month + 3 : month - 9;
  return [digits(year + 400 * cycle + (calendar <= 2 ? 1 : 0), 4), digits(calendar, 2), digits(ofMonth, 2)].join("-");
}

const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|\+00:00)$/;

/** Milliseconds since 1970. */
export function timeOf(field: string, value: unknown): number {
  const found = FORM.exec(text(field, value));
  if (found === null) throw new ConfigError(field, value, "be a time in UTC such as 2021-07-29T10:00:00.999Z");
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [number, ...number[]];
  const ms = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000);
  return ((daysOf(year, month!, day!) * 24 + hour!) * 60 + minute!) * 60_000 + second! * 1000 + ms;
}

function daysOf(calendarYear: number, month: number, day: number): number {
  const year = calendarYear - (month <= 2 ? 1 : 0);
  const cycle = Math.floor(year / 400);
  const ofCycle = year - 400 * cycle;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const days = 365 * ofCycle + Math.floor(ofCycle / 4) - Math.floor(ofCycle / 100) + ofYear;
  return cycle * CYCLE + days - EPOCH;
}

const digits = (value: number, count: number): string => `${value}`.padStart(count, "0");
