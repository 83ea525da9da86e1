import { ConfigError } from "./errors.ts";

/** Checks of options and files: each returns the value with its type, or throws a sentence that names the place. */

export type Fields = Readonly<Record<string, unknown>>;

export function fields(field: string, value: unknown, known: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError(field || "the document", value, "be an object");
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      const place = join(field, name);
      const names = known.length === 0 ? "nothing" : known.join(", ");
      throw new ConfigError(place, (value as Fields)[name], `not be there (known here: ${names})`);
    }
  }
  return value as Fields;
}

export const join = (field: string, name: string): string => (field === "" ? name : `${field}.${name}`);

export function real(field: string, value: unknown, bound = "be a finite number"): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new ConfigError(field, value, bound);
  return value;
}

export function atLeast(field: string, value: unknown, least: number): number {
  const bound = `be a finite number of at least ${least}`;
  if (real(field, value, bound) < least) throw new ConfigError(field, value, bound);
  return value as number;
}

/** Strictly between `low` and `high`. */
export function between(field: string, value: unknown, low: number, high: number): number {
  const bound = `lie strictly between ${low} and ${high}`;
  const number = real(field, value, bound);
  if (!(number > low && number < high)) throw new ConfigError(field, value, bound);
  return number;
}

export function whole(field: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const bound = `be a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`;
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    throw new ConfigError(field, value, bound);
  }
  return value as number;
}

export function oneOf<const T extends string>(field: string, value: unknown, names: readonly T[]): T {
  if (!names.includes(value as T)) throw new ConfigError(field, value, `be one of ${names.join(", ")}`);
  return value as T;
}

export function flag(field: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw new ConfigError(field, value, "be true or false");
  return value;
}

export function text(field: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw new ConfigError(field, value, "be a non-empty text");
  return value;
}

export function list(field: string, value: unknown, length?: number): readonly unknown[] {
  const bound = length === undefined ? "be a list" : `be a list of ${length}`;
  if (!Array.isArray(value)) throw new ConfigError(field, value, bound);
  if (length !== undefined && value.length !== length) throw new ConfigError(field, value, bound);
  return value;
}
