import type { Feature, Value } from "./feature.ts";
import type { Features } from "./features.ts";

/** What an app declares: its features by name. */
export type Schema = Readonly<Record<string, Feature<never>>>;

/** What an app may give: features by name, or how to encode its items, as `vectors(8)` is. */
export type Declared = Schema | Features<never>;

/** The coordinate that is the same for all items; no feature may have its name. */
export const BIAS = "bias";
type Bias = typeof BIAS;

/** A score explained: one number per feature, and the bias. */
export type Shares<S> =
  S extends Features<never, infer C>
    ? C
    : S extends Schema
      ? Readonly<Record<(keyof S & string) | Bias, number>>
      : never;

/** What an item must have. It may have more; that is kept and ignored. */
export type Item<S> =
  S extends Features<infer I> ? I : S extends Schema ? { -readonly [N in keyof S]: Value<S[N]> } : never;
