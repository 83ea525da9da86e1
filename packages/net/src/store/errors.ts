/** Why the store could not do it; operators act on this. In every case what was acknowledged before still stands. */
export type StoreFailure =
  /** Another opener has the place. */
  | "busy"
  /** No space left. */
  | "full"
  /** The place cannot be written. */
  | "read-only"
  /** The browser keeps nothing for this page. */
  | "forbidden"
  /** The log since the last checkpoint has reached its limit. */
  | "log-full"
  /** The place holds something that is not a store. */
  | "foreign"
  /** Another version of the program wrote it, and this one cannot read it. Nothing was touched. */
  | "version"
  /** Damage was found while the store was open; opening it again recovers. */
  | "damaged"
  /** Not open, or not any more. */
  | "closed"
  /** Anything else that the disk said. */
  | "failed";

/** The disk's fault, or the operator's: neither the caller's (`ConfigError`) nor another peer's. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  constructor(
    readonly reason: StoreFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Two writers would tear the log apart, so there is only ever one. */
export class StoreBusy extends StoreError {
  override readonly name = "StoreBusy";
  constructor(place: string, options?: ErrorOptions) {
    super("busy", `the store ${place} is open elsewhere: close the other peer, or choose another store`, options);
  }
}
