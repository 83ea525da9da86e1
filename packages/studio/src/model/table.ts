import type { Groups } from "./groups.ts";
import type { NetworkModel } from "./network.ts";
import { bytesText, percent } from "./words.ts";

/** A peer as a row of the table. */
export interface Row {
  readonly peer: number;
  readonly name: string;
  readonly id: string;
  /** Its group's smallest member; -1 where it pools with nobody. */
  readonly group: number;
  readonly groupName: string;
  readonly choices: number;
  readonly reward: number;
  readonly alone: number;
  readonly regret: number;
  readonly own: number;
  readonly borrowed: number;
  readonly buffered: number;
  readonly exchanges: number;
  readonly sentBytes: number;
  readonly sees: number;
  readonly state: string;
}

interface TableColumn {
  readonly name: string;
  readonly about: string;
  readonly value: (row: Row) => number | string;
  readonly text: (row: Row) => string;
}

const column = (
  name: string,
  about: string,
  value: TableColumn["value"],
  text: TableColumn["text"] = (row) => `${value(row)}`,
): TableColumn => ({ name, about, value, text });

/** Nobody tells what a guest chooses, and a newcomer has not chosen yet. */
const ofChoices = (row: Row, text: string): string => (row.choices === 0 ? "–" : text);

export const COLUMNS_OF_TABLE: readonly TableColumn[] = [
  column("Peer", "its name", (row) => row.name),
  column(
    "Group",
    "named after its first member",
    (row) => row.groupName,
    (row) => row.groupName,
  ),
  column("Choices", "made so far", (row) => row.choices),
  column(
    "Reward",
    "a choice, so far",
    (row) => row.reward,
    (row) => ofChoices(row, row.reward.toFixed(3)),
  ),
  column(
    "Alone",
    "a choice, of the same peer alone with the same arms",
    (row) => row.alone,
    (row) => ofChoices(row, row.alone.toFixed(3)),
  ),
  column(
    "Regret",
    "summed",
    (row) => row.regret,
    (row) => ofChoices(row, row.regret.toFixed(1)),
  ),
  column("Own", "observations of its own", (row) => row.own),
  column(
    "Borrowed",
    "share of the evidence that is not its own",
    (row) => row.borrowed,
    (row) => percent(row.borrowed),
  ),
  column("Buffer", "slots that wait", (row) => row.buffered),
  column("Exchanges", "that it took part in", (row) => row.exchanges),
  column(
    "Sent",
    "all it ever sent",
    (row) => row.sentBytes,
    (row) => bytesText(row.sentBytes),
  ),
  column(
    "Sees",
    "others that it believes alive",
    (row) => row.sees,
    (row) => (row.sees < 0 ? "–" : `${row.sees}`),
  ),
  column("State", "whether it is there", (row) => row.state),
];

export function rowsOf(model: NetworkModel, groups: Groups, search: string): Row[] {
  const wanted = search.trim().toLowerCase();
  const rows: Row[] = [];
  for (const joined of model.peers) {
    if (joined === undefined) continue;
    const { peer, name, id } = joined;
    const group = groups.of[peer];
    const groupName = group < 0 ? "–" : (model.peers[group]?.name ?? `${group}`);
    if (wanted !== "" && ![name, id, groupName].some((text) => text.toLowerCase().includes(wanted))) continue;
    const of = (column: Parameters<NetworkModel["value"]>[1]): number => model.value(peer, column);
    const choices = of("choices");
    rows.push({
      peer,
      name,
      id,
      group,
      groupName,
      choices,
      reward: of("reward") / Math.max(1, choices),
      alone: of("alone") / Math.max(1, choices),
      regret: of("regret"),
      own: of("own"),
      borrowed: model.borrowed(peer),
      buffered: of("buffered"),
      exchanges: of("exchanges"),
      sentBytes: of("sentBytes"),
      sees: model.isPresent(peer) ? of("sees") : -1,
      state: !model.isPresent(peer) ? "gone" : of("lies") === 1 ? "lies" : "there",
    });
  }
  return rows;
}

/** Made once: ten thousand names are compared with it, many times a second. */
const { compare: compareText } = new Intl.Collator();

/** Sorted by a column; equal ones by their numbers. */
export function sortRows(rows: Row[], by: number, down: boolean): Row[] {
  const { value } = COLUMNS_OF_TABLE[by];
  const sign = down ? -1 : 1;
  const compare = (a: number | string, b: number | string): number =>
    typeof a === "string" ? compareText(a, `${b}`) : a - Number(b);
  return rows.sort((a, b) => sign * compare(value(a), value(b)) || a.peer - b.peer);
}

/** Rows as CSV; numbers in full. */
export function tableCsv(rows: readonly Row[]): string {
  const quoted = (value: number | string): string => {
    // A text that begins like a formula would be one to a spreadsheet.
    const text = typeof value === "string" && /^[=+\-@]/.test(value) ? `'${value}` : `${value}`;
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    ["Id", ...COLUMNS_OF_TABLE.map(({ name }) => name)],
    ...rows.map((row) => [row.id, ...COLUMNS_OF_TABLE.map(({ value }) => value(row))]),
  ];
  return `${lines.map((line) => line.map(quoted).join(",")).join("\n")}\n`;
}
