import type { Row } from "../../results/types.ts";
import { summarise } from "../summary.ts";
import { type ReportColumn, type Table, type TableCell, tableOf } from "../tables/table.ts";
import { bold, clipped, DEFAULT_WIDTH, faint, padded, type TerminalOptions, widthOf, wrapped } from "./style.ts";

/** Tables of all worlds for the terminal. */
export function terminalTable(rows: readonly Row[], options: TerminalOptions = {}): string {
  const results = rows.map((row, cell) => ({ cell, row, checkpoints: [] }));
  return summarise(results)
    .map((world) => textTable(tableOf(world), options))
    .join("\n");
}

const LONGEST_NAME = 32;
const GAP = 2;
/** A heading may widen its column so far before it is broken into lines. */
const HEAD_WIDTH = 10;

/** One table as aligned text. Where room is short intervals go first, then whole columns, and it says so. */
export function textTable(table: Table, { width = DEFAULT_WIDTH, colour = false }: TerminalOptions = {}): string {
  const { shown, left } = fitted(table, width, colour);
  const lines = [bold(`${table.name}: ${table.caption}`, colour), ...headLines(shown, colour)];
  for (let row = 0; row < table.rows.length; row++) {
    const cells = shown.map(({ column, texts, size, index }) => {
      const text = padded(texts[row]!, size, column.numeric);
      return table.rows[row]![index]!.best ? bold(text, colour) : text;
    });
    lines.push(cells.join(" ".repeat(GAP)).trimEnd());
  }
  const notes = [...table.notes];
  if (table.rows.some((cells) => cells.some(({ best }) => best)) && !colour) notes.unshift("* best mean");
  if (left.length > 0) notes.push(`No room here for: ${left.join(", ")}.`);
  for (const note of notes) lines.push(...wrapped(note, width).map((line) => faint(line, colour)));
  return `${lines.join("\n")}\n`;
}

/** The columns that fit, with their texts, and the titles of those that do not. */
function fitted({ columns, rows }: Table, room: number, colour: boolean): { shown: Shown[]; left: string[] } {
  const least = Math.max(...columns.map(({ rank }) => rank));
  const ranks = Array.from({ length: least + 1 }, (_, index) => least - index);
  // First all columns with ever fewer intervals, then ever fewer columns with the important intervals, then without.
  const attempts: (readonly [columns: number, details: number])[] = [
    ...ranks.slice(0, -1).map((rank) => [least, rank] as const),
    ...ranks.flatMap((rank) => [2, 1].map((details) => [rank, Math.min(rank, details)] as const)),
    ...ranks.map((rank) => [rank, 0] as const),
  ];
  let shown: Shown[] = [];
  for (const [columnRank, detailRank] of attempts) {
    shown = columns.flatMap((column, index) =>
      column.rank > columnRank ? [] : [shownColumn(column, index, rows, column.rank <= detailRank, colour)],
    );
    if (shown.reduce((sum, { size }) => sum + size + GAP, -GAP) <= room) break;
  }
  const kept = new Set(shown.map(({ index }) => index));
  return { shown, left: columns.filter((_, index) => !kept.has(index)).map(({ title }) => title) };
}

interface Shown {
  readonly column: ReportColumn;
  readonly index: number;
  readonly texts: readonly string[];
  readonly head: readonly string[];
  readonly size: number;
}

function shownColumn(
  column: ReportColumn,
  index: number,
  rows: Table["rows"],
  details: boolean,
  colour: boolean,
): Shown {
  const cells = rows.map((row) => row[index]!);
  const marked = !colour && cells.some(({ best }) => best);
  const texts = cells.map((cell) => cellText(cell, details, marked));
  const title = clipped(column.title, LONGEST_NAME * 2);
  const longestWord = Math.max(...title.split(" ").map(widthOf));
  const size = Math.max(longestWord, Math.min(widthOf(title), HEAD_WIDTH), ...texts.map(widthOf));
  return { column, index, texts, head: wrapped(title, size), size };
}

/** The star has a place of its own in its column, so that digits stay under digits. */
function cellText({ text, detail, part, best }: TableCell, details: boolean, marked: boolean): string {
  const star = marked ? (best ? "*" : " ") : "";
  const name = clipped(text, LONGEST_NAME);
  const behind = [details ? detail : null, part].filter((known) => known !== null).join(", ");
  return behind === "" ? `${name}${star}` : `${name}${star} (${behind})`;
}

function headLines(shown: readonly Shown[], colour: boolean): string[] {
  const height = Math.max(...shown.map(({ head }) => head.length));
  const lines: string[] = [];
  for (let line = 0; line < height; line++) {
    const parts = shown.map(({ head, size, column }) => {
      const own = head[line - (height - head.length)] ?? "";
      return padded(own, size, column.numeric);
    });
    lines.push(faint(parts.join(" ".repeat(GAP)).trimEnd(), colour));
  }
  lines.push(faint(shown.map(({ size }) => "─".repeat(size)).join(" ".repeat(GAP)), colour));
  return lines;
}
