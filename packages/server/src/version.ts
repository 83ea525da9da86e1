/** The version of this package, as documents and metrics tell it. */
export const VERSION = "0.1.0";
