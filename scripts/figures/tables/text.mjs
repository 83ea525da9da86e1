/** A table in Markdown. The first row is its head. */
export function table([head, ...rows]) {
  const line = (cells) => `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** 12345.6 -> "12,346" */
export const whole = (value) => Math.round(value).toLocaleString("en-GB");

/** 4.167 -> "4.2", 41.67 -> "42" */
export const short = (value) => (Math.abs(value) >= 10 ? whole(value) : value.toFixed(1));

/** 0.417 -> "42 %" */
export const percent = (part) => `${Math.round(100 * part)} %`;

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** "2026-11-15" -> "15 November 2026" */
export function day(date) {
  const [year, month, number] = date.split("-").map(Number);
  return `${number} ${MONTHS[month - 1]} ${year}`;
}
