import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { columnsOf, type PeerRow, rowsOf, sortRows, type TableColumn } from "../model/table.ts";
import { Swatch } from "./icons.tsx";
import { moment, picture, selected, timeline } from "./store.ts";

const ROW = 34;
const OVERSCAN = 8;

export const search = signal("");
export const order = signal<{ column: number; down: boolean }>({ column: 0, down: false });

/** The columns as they are shown. */
export const shownColumns = (): readonly TableColumn[] => columnsOf(timeline.value?.header.policy ?? "");

/** The rows as they are shown: found and sorted. */
export function shownRows(): PeerRow[] {
  const now = moment.value;
  if (now === null) return [];
  const columns = shownColumns();
  const by = columns[order.value.column] ?? columns[0];
  return sortRows(rowsOf(now.model, now.groups, search.value), by, order.value.down);
}

export function PeerTable() {
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const rows = shownRows();
  const height = scroller.current?.clientHeight ?? 400;
  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN);
  const end = Math.min(rows.length, Math.ceil((top + height) / ROW) + OVERSCAN);
  return (
    <section class="panel table" aria-labelledby="peers">
      <header>
        <h2 id="peers">Peers</h2>
        <span class="quiet small number">{rows.length} shown</span>
        <div class="tools">
          <input
            type="search"
            placeholder="Name, id or group"
            aria-label="Find peers by name, id or group"
            value={search.value}
            onInput={(event) => {
              search.value = event.currentTarget.value;
            }}
          />
        </div>
      </header>
      <div class="scroll" ref={scroller} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <table aria-label="Peers" aria-rowcount={rows.length + 1}>
          <Head />
          <tbody>
            <Space rows={first} />
            {rows.slice(first, end).map((row, k) => (
              <TableRow key={row.peer} row={row} index={first + k} />
            ))}
            <Space rows={rows.length - end} />
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Stands for rows that are out of sight. */
const Space = ({ rows }: { rows: number }) =>
  rows <= 0 ? null : (
    <tr>
      <td class="space" colSpan={shownColumns().length} style={{ height: `${rows * ROW}px` }} />
    </tr>
  );

function Head() {
  const { column, down } = order.value;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {shownColumns().map(({ name, about }, k) => (
          <th
            scope="col"
            key={name}
            title={about}
            aria-sort={k === column ? (down ? "descending" : "ascending") : undefined}
          >
            <button
              type="button"
              class="plain"
              onClick={() => {
                // Numbers are first wanted largest first, names from A.
                order.value = k === column ? { column, down: !down } : { column: k, down: k > 1 };
              }}
            >
              {name}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function TableRow({ row, index }: { row: PeerRow; index: number }) {
  const look = picture.value?.looks.get(row.group);
  const [first, ...rest] = shownColumns();
  return (
    <tr aria-rowindex={index + 2} class={selected.value === row.peer ? "chosen" : ""}>
      <th scope="row">
        <button
          type="button"
          class="plain row"
          aria-pressed={selected.value === row.peer}
          onClick={() => {
            selected.value = row.peer;
          }}
        >
          {first.text(row)}
        </button>
      </th>
      {rest.map(({ name, text }, k) => (
        <td key={name}>
          {k === 0 && row.group >= 0 && <Swatch look={look} />} {text(row)}
        </td>
      ))}
    </tr>
  );
}
