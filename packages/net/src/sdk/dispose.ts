/// <reference lib="esnext.disposable" preserve="true" />
/** Engines without `using` know these symbols under no name yet; compiled code then looks for these. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);
export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);
