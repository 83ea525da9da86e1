/** What happens to a number or a vector beyond the bounds it was declared with: moved to the bound, or refused. */
export type OutOfRange = "clamp" | "error";

export const OUT_OF_RANGE = ["clamp", "error"] as const satisfies readonly OutOfRange[];

/** Why a value cannot be encoded. */
export interface Misfit {
  /** Below the value's own place: `[2]`, or nothing. */
  readonly path: string;
  readonly value: unknown;
  /** As the end of "must …". */
  readonly bound: string;
}

export const misfit = (value: unknown, bound: string, path = ""): Misfit => ({ path, value, bound });

/** The first item with a value that cannot be encoded. */
export interface UnencodableItem extends Misfit {
  readonly index: number;
}

export const fault = (index: number, found: Misfit): UnencodableItem => ({ index, ...found });

/** What decides the meaning of coordinates, as plain data; the order of its keys is part of it. */
export type Meaning = Readonly<Record<string, string | number | readonly string[]>>;

/** Where a feature finds its value in an item, and where its numbers go in an arm. */
export interface FeatureColumn {
  readonly name: string;
  /** The first of its coordinates. */
  readonly from: number;
  /** From one arm to the next. */
  readonly stride: number;
  /** Values out of range are refused. */
  readonly strict: boolean;
}

/** Items as a feature sees them: `V` under the feature's own name, and no matter what else. */
export type Holding<V> = Readonly<Record<string, V>>;

/** One declared property of an item, and how its value becomes numbers. */
export interface Feature<in V> {
  /** One per coordinate: what follows the feature's name in the name of that coordinate. */
  readonly labels: readonly string[];
  readonly meaning: Meaning;
  /** Left out: as the schema says. */
  readonly outOfRange?: OutOfRange;
  /**
   * Writes the feature's coordinates of all items, for each a vector within the unit ball: item k's begin at
   * out[offset + from + k · stride]. Every one is written, because `out` holds older items. Allocates nothing.
   *
   * All items at once: within one kind of feature an engine learns where the value lies, in a call per value it cannot.
   */
  write(
    items: readonly Holding<V>[],
    out: Float64Array,
    offset: number,
    column: FeatureColumn,
  ): UnencodableItem | undefined;
}

/** The values a feature takes. */
export type Value<F> = F extends Feature<infer V> ? V : never;
