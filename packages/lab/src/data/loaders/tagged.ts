import { Collector, type Interactions } from "../interactions.ts";
import { dateOf } from "../reading/date.ts";
import { readTable, type TableFormat } from "../reading/table.ts";
import { wordsOf } from "../words.ts";
import { STRAY_SHARE, Strays } from "./strays.ts";

/** The two HetRec 2011 datasets share their shape: a list of tags, and one row per (user, item, tag). */
export interface TaggedFiles {
  readonly directory: string;
  readonly tags: { readonly file: string; readonly columns: readonly [string, string] };
  readonly assignments: {
    readonly file: string;
    readonly columns: readonly [string, string, string];
    /** Day, month and year, where the file has them right after these columns: the time of the assignment. */
    readonly date?: readonly [string, string, string];
  };
  /** Ids of all items, if the dataset lists them in a file of its own. */
  readonly listed?: { readonly file: string; readonly ids: ReadonlySet<number> } | undefined;
}

/** Each row counts the words of its tag once for the item, and makes the item one of the user's. */
export async function loadTagged(files: TaggedFiles): Promise<Interactions> {
  const tags = await readTags(files);
  const collector = new Collector();
  const unknownTags = new Strays(files.tags.file, STRAY_SHARE);
  const unknownItems = new Strays(files.listed?.file ?? "", 1);
  const { file, columns, date } = files.assignments;
  const format = { ...tabbed("numbers", columns), ...(date && { optional: date }) };
  const assignments = await readTable(files.directory, file, format, (row) => {
    const item = row.id(1);
    collector.addPair(row.id(0), item, date && row.hasOptional ? dateOf(row, columns.length) : undefined);
    const words = tags.get(row.id(2));
    if (words) collector.addWords(item, words);
    else unknownTags.add(row, 2);
    if (files.listed && !files.listed.ids.has(item)) unknownItems.add(row, 1);
  });
  const interactions = collector.finish();
  return {
    ...interactions,
    counts: { users: interactions.usersItems.size, "tag assignments": assignments, tags: tags.size },
    notes: [...unknownTags.notes(assignments), ...unknownItems.notes(assignments)],
  };
}

async function readTags({ directory, tags: { file, columns } }: TaggedFiles): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>();
  await readTable(directory, file, tabbed("text", columns), (row) => {
    const id = row.id(0);
    if (tags.has(id)) throw row.fault(0, "be listed once");
    tags.set(id, wordsOf(row.text(1)));
  });
  return tags;
}

export const tabbed = (contents: TableFormat["contents"], columns: readonly string[]): TableFormat => ({
  separator: "\t",
  contents,
  columns,
  header: true,
});
