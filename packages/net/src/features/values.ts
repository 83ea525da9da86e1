import { ConfigError, check } from "@coterie/core";

/** What becomes of a value that is not declared: refused, or all such values share one coordinate. */
export type Unknown = "error" | "bucket";

/** How values are read. */
export interface ValuesOptions<U extends Unknown = Unknown> {
  /** `error` when left out. With `bucket` any other text, and a missing value, is at the coordinate of the unknown. */
  readonly unknown?: U;
}

/** The declared values of a feature, each with its coordinate. */
export interface Values {
  /** In order of their UTF-16 units, so that two apps that list the same values agree whatever order they list them in. */
  readonly sorted: readonly string[];
  readonly labels: readonly string[];
  /** As the end of "must …". */
  readonly bound: string;
  /** Part of what the coordinates mean. */
  readonly unknown: { readonly unknown?: "bucket" };
  /** The coordinate of a value; undefined where there is none for it. */
  place(value: unknown): number | undefined;
}

/** Longer lists of values are not repeated in a message. */
const MOST_SHOWN = 12;

/** What follows a feature's name where a value is unknown. */
const UNKNOWN = "(unknown)";

export function declareValues(kind: string, values: readonly string[], options: ValuesOptions = {}): Values {
  const field = `${kind}.values`;
  const { unknown: given = "error" } = check.fields(`${kind}.options`, options, ["unknown"]);
  const bucket = check.oneOf(`${kind}.unknown`, given, ["error", "bucket"]) === "bucket";
  const sorted = distinct(field, values, bucket).sort();
  const places = new Map<unknown, number>(sorted.map((value, place) => [value, place]));
  const labels = (bucket ? [...sorted, UNKNOWN] : sorted).map((value) => `=${value}`);
  if (!bucket) {
    return { sorted, labels, bound: `be one of ${listed(sorted)}`, unknown: {}, place: (value) => places.get(value) };
  }
  const missing = (value: unknown): boolean => value === undefined || value === null || typeof value === "string";
  return {
    sorted,
    labels,
    bound: `be a text, such as ${listed(sorted)}, or missing`,
    unknown: { unknown: "bucket" },
    place: (value) => places.get(value) ?? (missing(value) ? sorted.length : undefined),
  };
}

function distinct(field: string, values: readonly string[], bucket: boolean): string[] {
  check.list(field, values);
  if (values.length === 0) throw new ConfigError(field, values, "hold at least one value");
  const seen = new Set<string>();
  values.forEach((value, k) => {
    check.text(`${field}[${k}]`, value);
    if (seen.has(value)) throw new ConfigError(`${field}[${k}]`, value, "differ from the values before it");
    if (bucket && value === UNKNOWN) {
      throw new ConfigError(`${field}[${k}]`, value, "differ from the name of the bucket of unknown values");
    }
    seen.add(value);
  });
  return [...seen];
}

function listed(sorted: readonly string[]): string {
  if (sorted.length <= MOST_SHOWN) return sorted.join(", ");
  return `${sorted.slice(0, MOST_SHOWN).join(", ")} and ${sorted.length - MOST_SHOWN} more`;
}
