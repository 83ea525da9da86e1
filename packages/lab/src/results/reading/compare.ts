/** The first place at which two JSON values differ, to the bit. */
export interface Difference {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** Null if equal. Keys are compared by name, not by order; a key with `undefined` is one that is absent. */
export function firstDifference(left: unknown, right: unknown, path = "", ignored?: string): Difference | null {
  if (path === ignored || Object.is(left, right)) return null;
  if (!isBranch(left) || !isBranch(right) || Array.isArray(left) !== Array.isArray(right)) return { path, left, right };
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) return { path, left, right };
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const place = Array.isArray(left) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const found = firstDifference(left[key], right[key], place, ignored);
    if (found !== null) return found;
  }
  return null;
}

const isBranch = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A value in a message: whole where it is short. */
export function inWords(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
