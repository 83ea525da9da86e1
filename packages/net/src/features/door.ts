import { ConfigError } from "@coterie/core";
import type { Misfit } from "./feature.ts";

/** What is checked before numbers are written or read, and how a refusal names its place. */

export function refuse(field: string, { path, value, bound }: Misfit): never {
  throw new ConfigError(field + path, value, bound);
}

/** Numbers written beyond the end of a typed array are lost without a word. */
export function checkRoom(field: string, list: ArrayLike<number>, offset: number, dimension: number): void {
  if (Number.isSafeInteger(offset) && offset >= 0 && offset + dimension <= list.length) return;
  throw new ConfigError(field, list, `hold ${dimension} numbers from ${offset}`);
}
