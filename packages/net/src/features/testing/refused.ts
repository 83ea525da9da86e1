import { ConfigError } from "@coterie/core";

/** Field and bound of the error with which an action refuses what it was given. */
export function refused(action: () => unknown): { readonly field: string; readonly bound: string; value: unknown } {
  try {
    action();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { field, bound, value } = error;
    return { field, bound, value };
  }
  throw new Error("nothing was refused");
}
