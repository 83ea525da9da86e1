import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import { splitCsv } from "./csv.ts";
import { type FileContents, readLines } from "./lines.ts";

/** The shape of a file with one row per line. */
export interface TableFormat {
  readonly separator: "\t" | "," | "|" | "::";
  readonly contents: FileContents;
  /** Names of the columns: all of them, or, where the file has a header, those at its beginning that matter. */
  readonly columns: readonly string[];
  readonly header: boolean;
  /** Columns that a file with a header may have right after these: all of them or none. */
  readonly optional?: readonly string[];
  /** Fields may stand in double quotes (CSV). */
  readonly quoted?: boolean;
  /** How few rows are too few; 1 unless said. */
  readonly atLeast?: number;
}

/** A quote that is open for so long was never meant to be one. */
const RECORD_CHARACTERS = 1 << 16;
const LARGEST_ID = 2147483647;

/** One row, and how to complain about it. The same object is lent for every row of a file. */
export class TableRow {
  line = 0;
  /** Does the file have the optional columns? They are numbered on from the others. */
  hasOptional = false;
  fields: readonly string[] = [];

  constructor(
    readonly file: string,
    readonly columns: readonly string[],
  ) {}

  text(column: number): string {
    return this.fields[column]!;
  }

  /** A whole number from 0 to 2^31 - 1. */
  id(column: number): number {
    return this.whole(column, 0, LARGEST_ID);
  }

  /** A whole number from `low` to `high`, at most 2^31 - 1. */
  whole(column: number, low: number, high: number): number {
    const text = this.fields[column]!;
    let value = text.length === 0 || text.length > 10 ? -1 : 0;
    for (let i = 0; i < text.length && value >= 0; i++) {
      const digit = text.charCodeAt(i) - 48;
      value = digit >= 0 && digit <= 9 ? value * 10 + digit : -1;
    }
    if (value < low || value > high) throw this.fault(column, `be a whole number from ${low} to ${high}`);
    return value;
  }

  /** A number from `low` to `high`. */
  number(column: number, low: number, high: number): number {
    const text = this.fields[column]!;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= low && value <= high)) throw this.fault(column, `be a number from ${low} to ${high}`);
    return value;
  }

  /** Where a field stands: `tags.dat line 17 tagID`. */
  where(column: number): string {
    return `${this.file} line ${this.line} ${this.columns[column]}`;
  }

  fault(column: number, bound: string): ConfigError {
    return new ConfigError(this.where(column), this.fields[column], bound);
  }
}

/** Calls `take` for each row of a file and returns how many there were. Blank lines are passed over. */
export async function readTable(
  directory: string,
  file: string,
  format: TableFormat,
  take: (row: TableRow) => void,
): Promise<number> {
  const optional = format.optional ?? [];
  const row = new TableRow(file, [...format.columns, ...optional]);
  const split = format.quoted ? quotedSplitter(file) : plainSplitter(format.separator);
  let width = format.header ? 0 : format.columns.length;
  let rows = 0;
  await readLines(join(directory, file), format.contents, (line, number) => {
    const fields = split.take(line, number);
    if (!fields) return;
    if (width === 0) {
      width = headerWidth(file, fields, format);
      row.hasOptional = optional.every((name, i) => fields[format.columns.length + i] === name);
      return;
    }
    row.line = number;
    row.fields = fields;
    if (fields.length !== width) {
      throw new ConfigError(`${file} line ${number} number of fields`, fields.length, `be ${width}`);
    }
    take(row);
    rows++;
  });
  split.end();
  if (width === 0) throw new ConfigError(`${file} number of lines`, 0, "be at least 1");
  const atLeast = format.atLeast ?? 1;
  if (rows < atLeast) throw new ConfigError(`${file} number of rows`, rows, `be at least ${atLeast}`);
  return rows;
}

function headerWidth(file: string, fields: readonly string[], format: TableFormat): number {
  if (format.columns.some((name, i) => fields[i] !== name)) {
    const expected = JSON.stringify(format.columns.join(format.separator));
    throw new ConfigError(`${file} line 1`, fields.join(format.separator), `begin with the header ${expected}`);
  }
  return fields.length;
}

interface Splitter {
  /** The fields of the record that ends with this line; undefined where none does. */
  take(line: string, number: number): readonly string[] | undefined;
  end(): void;
}

function plainSplitter(separator: string): Splitter {
  return { take: (line) => (line === "" ? undefined : line.split(separator)), end: () => {} };
}

/** CSV, in which a record runs over several lines as long as a quote is open. */
function quotedSplitter(file: string): Splitter {
  let open = "";
  let first = 0;
  const unclosed = () => new ConfigError(`${file} line ${first}`, open, "close its double quotes");
  return {
    take(line, number) {
      if (open === "" && line === "") return undefined;
      if (open === "") first = number;
      const record = open === "" ? line : `${open}\n${line}`;
      const fields = splitCsv(record);
      open = typeof fields === "string" ? record : "";
      if (fields === "malformed") {
        throw new ConfigError(`${file} line ${first}`, record, "have a comma or its end after a closing quote");
      }
      if (open.length > RECORD_CHARACTERS) throw unclosed();
      return fields === "open" ? undefined : fields;
    },
    end() {
      if (open !== "") throw unclosed();
    },
  };
}
