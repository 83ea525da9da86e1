import { ConfigError, Reader, Writer } from "@coterie/core";
import { sameBytes } from "../../bytes.ts";
import { StoreError } from "../errors.ts";
import { nodeSha256 } from "./hash.ts";

/** A store at one moment, as one file. Records say themselves where they belong. */
export interface Backup {
  /** Milliseconds since 1970. */
  readonly made: number;
  readonly incarnation: number;
  readonly records: readonly Uint8Array[];
}

/** "CBAK", and the version of this layout. */
const MAGIC = 0x4b414243;
export const BACKUP_VERSION = 1;
const HASH_BYTES = 32;

/** magic | version | f64 made | u32 incarnation | u32 count | count × (u32 length, record) | SHA-256 of all before. */
export function packBackup({ made, incarnation, records }: Backup): Uint8Array {
  const out = new Writer();
  out.u32(MAGIC);
  out.u32(BACKUP_VERSION);
  out.f64(made);
  out.u32(incarnation);
  out.u32(records.length);
  for (const record of records) {
    out.u32(record.length);
    out.raw(record);
  }
  out.raw(nodeSha256(out.bytes()));
  return out.bytes();
}

export function unpackBackup(file: string, bytes: Uint8Array): Backup {
  const from = new Reader(bytes, (_, field, value) => new ConfigError(file, `${field} ${value}`, "be a whole backup"));
  const magic = from.u32("magic");
  if (magic !== MAGIC) throw new ConfigError(file, "a file of another kind", "be a backup of a store");
  const version = from.u32("version");
  if (version !== BACKUP_VERSION) {
    const found = `the backup ${file} is of version ${version}, and this program reads version ${BACKUP_VERSION}`;
    throw new StoreError("version", `${found}: restore it with the program that made it`);
  }
  const end = bytes.length - HASH_BYTES;
  if (end < 0 || !sameBytes(bytes.subarray(end), nodeSha256(bytes, end))) {
    throw new ConfigError(file, "bytes that do not match their hash", "be a whole backup");
  }
  const [made, incarnation] = [from.f64("made"), from.u32("incarnation")];
  const records: Uint8Array[] = [];
  for (let left = from.u32("records"); left > 0; left--) records.push(from.raw("records", from.u32("records")));
  return { made, incarnation, records };
}
