import type { Feature, Value } from "./feature.ts";
import type { Features } from "./features.ts";

/** Features by name. */
export type Schema = Readonly<Record<string, Feature<never>>>;

/**
 * Features of items beside those of the situation. A context is the same for all items of a menu, so by itself it cannot
 * change which one is chosen: what depends on both is a cross.
 */
export interface Situated {
  /** What is known of an item. */
  readonly item: Schema;
  /** What is known of the situation: the device, the hour, the page. */
  readonly context?: Schema;
  /** Pairs of names whose products are features too: of the context and of the item, or two of the item. */
  readonly cross?: readonly (readonly [string, string])[];
}

/** What an app may declare: features of items, also with a context, or how to encode its items, as `vectors(8)` is. */
export type Declared = Schema | Situated | Features<never, Readonly<Record<string, number>>, never>;

/** The coordinate that is the same for all items; no feature may have its name. */
export const BIAS = "bias";
type Bias = typeof BIAS;

/** Between the names of what is crossed. */
export const TIMES = "×";

type Names<S> = S extends Schema ? keyof S & string : never;

/** The crosses that a schema may have: at least one side is of the item. */
type Cross<I, C> = readonly [I | C, I] | readonly [I, C];

/** What `cross` may hold, by the names that are declared; a pair of other names does not compile. */
export type Crossed<S> = S extends Situated
  ? { readonly cross?: readonly Cross<Names<S["item"]>, Names<S["context"]>>[] }
  : unknown;

type CrossNames<S> = S extends { readonly cross: readonly (infer P)[] }
  ? P extends readonly [infer A extends string, infer B extends string]
    ? `${A}${typeof TIMES}${B}`
    : never
  : never;

/** A score explained: one number per feature and per cross, and the bias. */
export type ScoreParts<S> =
  S extends Features<never, infer C, never>
    ? C
    : S extends Situated
      ? Readonly<Record<Names<S["item"]> | Names<S["context"]> | CrossNames<S> | Bias, number>>
      : S extends Schema
        ? Readonly<Record<(keyof S & string) | Bias, number>>
        : never;

type Flat<T> = { [K in keyof T]: T[K] };

/** What must be there, and what may be missing because its feature takes `undefined`. */
type Values<S> = Flat<
  { -readonly [N in keyof S as undefined extends Value<S[N]> ? never : N]: Value<S[N]> } & {
    -readonly [N in keyof S as undefined extends Value<S[N]> ? N : never]?: Value<S[N]>;
  }
>;

/** What an item must have. It may have more; that is kept and ignored. */
export type Item<S> =
  S extends Features<infer I, Readonly<Record<string, number>>, never>
    ? I
    : S extends Situated
      ? Values<S["item"]>
      : S extends Schema
        ? Values<S>
        : never;

/** What must be known of the situation of a choice; `undefined` where nothing is. */
export type Context<S> =
  S extends Features<never, Readonly<Record<string, number>>, infer X>
    ? X
    : S extends { readonly context: infer C extends Schema }
      ? Values<C>
      : undefined;
