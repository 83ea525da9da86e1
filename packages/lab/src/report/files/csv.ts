/** A value in a file: as exact as it is, nothing where there is none. */
export type CsvValue = string | number | null;

/** Comma-separated values after RFC 4180, lines ended by LF: quoted where a comma, quote or line break asks for it. */
export function csv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [header, ...rows].map((row) => `${row.map(field).join(",")}\n`).join("");
}

function field(value: CsvValue): string {
  const text = value === null ? "" : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
