import { ConfigError } from "@coterie/core";
import type { Note } from "../interactions.ts";
import type { TableRow } from "../reading/table.ts";

/**
 * Rows that point at an id which another file does not list.
 *
 * The official files are not free of such rows: 1,538 assignments of Last.fm name one of 390 artists that are not in
 * artists.dat. So they are counted, not refused. But where the id is needed to know the words of an item, many of them
 * mean that a file is cut off or that two files do not belong together; then more than `share` of the rows is too many.
 */
export class Strays {
  #rows = 0;
  #first: { where: string; value: string } | undefined;

  constructor(
    /** The file that should list the id. */
    readonly listing: string,
    /** Largest share of rows that is let pass. */
    readonly share: number,
  ) {}

  add(row: TableRow, column: number): void {
    this.#rows++;
    this.#first ??= { where: row.where(column), value: row.text(column) };
  }

  /** The note to leave, if any, after `rows` rows in all. */
  notes(rows: number): Note[] {
    if (!this.#first) return [];
    const { where, value } = this.#first;
    if (this.#rows > this.share * rows) {
      throw new ConfigError(
        where,
        value,
        `be listed in ${this.listing} (as in all but ${this.share * 100} % of the rows)`,
      );
    }
    return [{ what: `rows whose id is not listed in ${this.listing}`, rows: this.#rows, first: `${where} ${value}` }];
  }
}

/** Of ids that carry words: the official files have none, so one in a thousand is generous. */
export const STRAY_SHARE = 0.001;
