import type { TableRow } from "./table.ts";

/** Years whose days, in seconds since 1970, fit into 32 bits. */
const FIRST_YEAR = 1902;
const LAST_YEAR = 2037;

/** A date in three columns, day, month and year from `column` on: its beginning in seconds since 1970. */
export function dateOf(row: TableRow, column: number): number {
  const year = row.whole(column + 2, FIRST_YEAR, LAST_YEAR);
  const month = row.whole(column + 1, 1, 12);
  const day = row.whole(column, 1, daysIn(month, year));
  // Date counts months from 0, and in milliseconds.
  return Date.UTC(year, month - 1, day) / 1000;
}

/** Day 0 of the next month is the last of this one. */
const daysIn = (month: number, year: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
