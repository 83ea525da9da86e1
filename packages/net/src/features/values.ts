import { ConfigError, check } from "@coterie/core";

/** The declared values of a feature, each with its coordinate. */
export interface Values {
  /** In order of their UTF-16 units, so that two apps that list the same values agree whatever order they list them in. */
  readonly sorted: readonly string[];
  readonly places: ReadonlyMap<unknown, number>;
  readonly labels: readonly string[];
  /** As the end of "must …". */
  readonly bound: string;
}

/** Longer lists of values are not repeated in a message. */
const MOST_SHOWN = 12;

export function declareValues(kind: string, values: readonly string[]): Values {
  const field = `${kind}.values`;
  check.list(field, values);
  if (values.length === 0) throw new ConfigError(field, values, "hold at least one value");
  const seen = new Set<string>();
  values.forEach((value, k) => {
    check.text(`${field}[${k}]`, value);
    if (seen.has(value)) throw new ConfigError(`${field}[${k}]`, value, "differ from the values before it");
    seen.add(value);
  });
  const sorted = [...values].sort();
  const places = new Map<unknown, number>(sorted.map((value, place) => [value, place]));
  return { sorted, places, labels: sorted.map((value) => `=${value}`), bound: `be one of ${listed(sorted)}` };
}

function listed(sorted: readonly string[]): string {
  if (sorted.length <= MOST_SHOWN) return sorted.join(", ");
  return `${sorted.slice(0, MOST_SHOWN).join(", ")} and ${sorted.length - MOST_SHOWN} more`;
}
