import type { Groups } from "./groups.ts";
import type { NetworkModel } from "./network.ts";
import { bytesText, percent } from "./words.ts";

/** A peer as a row of the table. */
export interface PeerRow {
  readonly peer: number;
  readonly name: string;
  readonly id: string;
  /** Its group's smallest member; -1 where it pools with nobody. */
  readonly group: number;
  readonly groupName: string;
  readonly choices: number;
  readonly reward: number;
  readonly regret: number;
  /** Of the same peer alone. */
  readonly aloneRegret: number;
  readonly own: number;
  readonly borrowed: number;
  readonly buffered: number;
  readonly exchanges: number;
  readonly sentBytes: number;
  readonly sees: number;
  readonly state: string;
}

export interface TableColumn {
  readonly name: string;
  readonly about: string;
  readonly value: (row: PeerRow) => number | string;
  readonly text: (row: PeerRow) => string;
}

const column = (
  name: string,
  about: string,
  value: TableColumn["value"],
  text: TableColumn["text"] = (row) => `${value(row)}`,
): TableColumn => ({ name, about, value, text });

/** Nobody tells what a guest chooses, and a newcomer has not chosen yet. */
const ofChoices = (row: PeerRow, text: string): string => (row.choices === 0 ? "–" : text);

const BUFFER = column("Buffer", "slots that wait", (row) => row.buffered);

const ALL: readonly TableColumn[] = [
  column("Peer", "its name", (row) => row.name),
  column(
    "Group",
    "named after its first member",
    (row) => row.groupName,
    (row) => row.groupName,
  ),
  column("Choices", "made so far", (row) => row.choices),
  column(
    "Regret",
    "summed: how far the posters it chose lie below the best ones offered",
    (row) => row.regret,
    (row) => ofChoices(row, row.regret.toFixed(1)),
  ),
  column(
    "Alone",
    "the same of its twin, which is offered the same and meets nobody",
    (row) => row.aloneRegret,
    (row) => ofChoices(row, row.aloneRegret.toFixed(1)),
  ),
  column(
    "Reward",
    "a choice, so far; noisy, where regret is not",
    (row) => row.reward,
    (row) => ofChoices(row, row.reward.toFixed(3)),
  ),
  column("Own", "observations of its own", (row) => row.own),
  column(
    "Borrowed",
    "share of the evidence that is not its own",
    (row) => row.borrowed,
    (row) => percent(row.borrowed),
  ),
  BUFFER,
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

/** Whether peers of a policy hold anything back before they use it. */
export const hasBuffer = (policy: string): boolean => policy === "dcb" || policy === "dccb";

/** What the table shows of peers of a policy. */
export const columnsOf = (policy: string): readonly TableColumn[] =>
  hasBuffer(policy) ? ALL : ALL.filter((one) => one !== BUFFER);

export function rowsOf(model: NetworkModel, groups: Groups, search: string): PeerRow[] {
  const wanted = search.trim().toLowerCase();
  const rows: PeerRow[] = [];
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
      regret: of("regret"),
      aloneRegret: of("aloneRegret"),
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
export function sortRows(rows: PeerRow[], { value }: TableColumn, down: boolean): PeerRow[] {
  const sign = down ? -1 : 1;
  const compare = (a: number | string, b: number | string): number =>
    typeof a === "string" ? compareText(a, `${b}`) : a - Number(b);
  return rows.sort((a, b) => sign * compare(value(a), value(b)) || a.peer - b.peer);
}

/** Rows as CSV; numbers in full. */
export function tableCsv(rows: readonly PeerRow[], columns: readonly TableColumn[]): string {
  const quoted = (value: number | string): string => {
    // A text that begins like a formula would be one to a spreadsheet.
    const text = typeof value === "string" && /^[=+\-@]/.test(value) ? `'${value}` : `${value}`;
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    ["Id", ...columns.map(({ name }) => name)],
    ...rows.map((row) => [row.id, ...columns.map(({ value }) => value(row))]),
  ];
  return `${lines.map((line) => line.map(quoted).join(",")).join("\n")}\n`;
}
