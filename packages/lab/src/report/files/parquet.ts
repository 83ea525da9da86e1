import { type BasicType, parquetWriteBuffer } from "hyparquet-writer";
import type { FileColumn } from "./columns.ts";

const TYPES: Readonly<Record<FileColumn<unknown>["type"], BasicType>> = {
  text: "STRING",
  whole: "INT32",
  large: "INT64",
  real: "DOUBLE",
};

/** A Parquet file of the items, a column for each of `columns`; null stays null. */
export function parquet<T>(columns: readonly FileColumn<T>[], items: readonly T[]): Uint8Array {
  const columnData = columns.map(({ name, type, nullable, of }) => {
    const values = items.map(of);
    const data = type === "large" ? values.map((value) => (value === null ? null : BigInt(value))) : values;
    return { name, data, type: TYPES[type], nullable };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
