import { escaped } from "../text.ts";
import type { ReportColumn, Table, TableCell } from "./table.ts";

/** A table as HTML: a caption, headings with their scope, the best in bold. */
export function tableMarkup(table: Table): string {
  const head = table.columns.map(headMarkup).join("");
  const body = table.rows.map(
    (row) => `<tr>${row.map((cell, k) => cellMarkup(cell, table.columns[k]!, k)).join("")}</tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="${escaped(`${table.name}, table`)}"><table class="sortable">
<caption>${escaped(table.caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table></div>${table.notes.map((note) => `\n<p class="note">${escaped(note)}</p>`).join("")}`;
}

const headMarkup = ({ title, numeric }: ReportColumn): string =>
  `<th scope="col"${numeric ? ' class="number"' : ""}>${escaped(title)}</th>`;

function cellMarkup(cell: TableCell, column: ReportColumn, index: number): string {
  const order = cell.order === null ? "" : ` data-order="${escaped(`${cell.order}`)}"`;
  const value = cell.best ? `<strong>${escaped(cell.text)}</strong>` : escaped(cell.text);
  const part = cell.part === null ? null : `${cell.part} seeds`;
  const under = [cell.detail, part].filter((text) => text !== null);
  const detail = under.map((text) => `<small>${escaped(text)}</small>`).join("");
  if (index === 0) return `<th scope="row"${order}>${value}</th>`;
  return `<td${column.numeric ? ' class="number"' : ""}${order}>${value}${detail}</td>`;
}
