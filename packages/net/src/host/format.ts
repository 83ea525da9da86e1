import { type Policy, Reader, Writer } from "@coterie/core";
import { StoreError } from "../store/errors.ts";
import type { Entry, Recovered } from "../store/store.ts";
import { complain } from "./complain.ts";

/**
 * Of what a peer writes into its store: snapshots (saved.ts), entries (journal.ts) and what its owner keeps beside them.
 * What a policy's learner writes has a version of its own, its `layout`.
 *
 *     1  no mark, and no heritage (version1.ts)
 *     2  "CSAV", the format, the layout; the learner's heritage apart from its other state
 *     3  a loss that others are asked to make up for (node/loss.ts), in snapshots and as entries
 *     4  how many are there and no longer who; exchanges that were withdrawn; beside the choices, in full what the numbers
 *        mean, and choices of slates that nobody has seen yet
 *     5  where others answered, and at which ports the peer listened (node/places.ts)
 *     6  reports of other peers' choices that wait to be told (node/reportQueue.ts), in snapshots and as entries;
 *        choices of slates that nobody will see any more, but of which other workers may have heard
 *     7  of records: origins that were caught, who was met, and who brought whom else
 */
export const FORMAT = 7;

/** Which program's words a store has. */
export interface Format {
  readonly format: number;
  readonly layout: number;
}

const MAGIC = 0x56415343;
export const FORMAT_ENTRY = "format";

export const layoutOf = ({ layout = 1 }: Policy): number => layout;

export function writeFormat(out: Writer, policy: Policy): void {
  out.u32(MAGIC);
  out.u32(FORMAT);
  out.u32(layoutOf(policy));
}

/** What stands at the beginning of a snapshot. Version 1 began with the length of a name, which is far smaller. */
export function readFormat(from: Reader, bytes: Uint8Array): Format {
  if (new Reader(bytes, complain).u32("magic") !== MAGIC) return { format: 1, layout: 1 };
  from.u32("magic");
  return { format: from.u32("format"), layout: from.u32("layout") };
}

/** The entry that says so where there is no snapshot yet: the first of every log. */
export function formatEntry(policy: Policy): Entry {
  const out = new Writer();
  writeFormat(out, policy);
  return { kind: FORMAT_ENTRY, body: out.bytes() };
}

/** Of what there is; null where there is nothing. */
export function formatOf({ snapshot, entries }: Pick<Recovered, "snapshot" | "entries">): Format | null {
  const bytes = snapshot ?? entries.find(({ kind }) => kind === FORMAT_ENTRY)?.body;
  if (bytes !== undefined) return readFormat(new Reader(bytes, complain), bytes);
  return entries.length === 0 ? null : { format: 1, layout: 1 };
}

/** Whether all of it is in this program's words. */
export const isCurrent = ({ format, layout }: Format, policy: Policy): boolean =>
  format === FORMAT && layout === layoutOf(policy);

/** Throws unless this program can go on from a store of this format, if only from the peer's heritage. */
export function requireFormat({ format, layout }: Format, policy: Policy): void {
  if (format <= FORMAT && layout <= layoutOf(policy)) return;
  const found = format > FORMAT ? `format ${format}` : `layout ${layout} of ${policy.kind}`;
  const read = format > FORMAT ? FORMAT : layoutOf(policy);
  throw new StoreError(
    "version",
    `the peer's state is of ${found}, and this program reads up to ${read}: run the program that wrote it, or restore a backup that this one made (docs/operate.md)`,
  );
}
