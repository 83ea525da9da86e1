/** The fields of one CSV record, or why there are none: a quote is still open, or text follows a closed quote. */
export type CsvFields = readonly string[] | "open" | "malformed";

/** Splits a record at its commas; a field in double quotes may hold commas, line breaks and doubled quotes. */
export function splitCsv(record: string): CsvFields {
  if (!record.includes('"')) return record.split(",");
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    let end = record.indexOf(",", at);
    if (record[at] === '"') {
      const close = closingQuote(record, at + 1);
      if (close < 0) return "open";
      end = close + 1;
      if (end < record.length && record[end] !== ",") return "malformed";
      fields.push(record.slice(at + 1, close).replaceAll('""', '"'));
      if (end === record.length) return fields;
    } else {
      fields.push(end < 0 ? record.slice(at) : record.slice(at, end));
      if (end < 0) return fields;
    }
    at = end + 1;
  }
}

/** Where the quote that closes a field stands; two quotes in a row are one quote of the text. */
function closingQuote(record: string, from: number): number {
  let at = record.indexOf('"', from);
  while (at >= 0 && record[at + 1] === '"') at = record.indexOf('"', at + 2);
  return at;
}
