import { ConfigError } from "@coterie/core";
import { CheckNotMet } from "./guard.ts";

/** What a store's fault means to whoever named the store on the command line: wrong use, or a check that did not hold. */
export function storeFault(path: string): (error: unknown) => never {
  return (error) => {
    const { reason, message } = error as { reason?: string; message: string };
    if (reason === "foreign") throw new ConfigError("STORE", path, `be a peer's store (${message})`);
    if (reason === "version")
      throw new ConfigError("STORE", path, `be of a version that this program reads (${message})`);
    if (reason === "busy") throw new ConfigError("STORE", path, "be a store that no other process has open");
    if (reason === "damaged") throw new CheckNotMet(message);
    throw error;
  };
}
