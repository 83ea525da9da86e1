/** What is known of the situation: `context` must be there where the features declare one. */
export type Situation<X> = [X] extends [undefined]
  ? { readonly context?: undefined }
  : unknown extends X
    ? { readonly context?: X }
    : { readonly context: X };

/** What may be said of a menu. `T` is the type of its items, `X` that of the context. */
export type ChooseOptions<T = never, X = undefined> = Situation<X> & {
  /** True for items that must not be chosen, though they are in the list. */
  readonly exclude?: ((item: T, index: number) => boolean) | undefined;
  /** For whom it is made, such as a visitor's key; only logged. Choices of one unit are not independent. */
  readonly unit?: string | undefined;
};

/** Options as the last argument: they may be left out where they need not hold a context. */
export type Last<O, X> = [X] extends [undefined] ? [options?: O] : unknown extends X ? [options?: O] : [options: O];
