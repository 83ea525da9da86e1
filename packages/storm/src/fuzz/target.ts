import { ConfigError, ProtocolViolation } from "@coterie/core";
import { StoreError, TokenError } from "@coterie/net";

/** A decoder, and things it takes. */
export interface FuzzTarget {
  readonly name: string;
  readonly samples: readonly Uint8Array[];
  /** Reads the bytes; throws only what is told to the caller or counted against the sender. */
  read(bytes: Uint8Array): void | Promise<void>;
}

/** Errors that say whose fault it was. */
export const isTyped = (error: unknown): boolean =>
  [ProtocolViolation, ConfigError, StoreError, TokenError].some((type) => error instanceof type);

/** A target that reads JSON: what is no JSON never reaches the parser behind it. */
export function jsonTarget(
  name: string,
  samples: readonly unknown[],
  parse: (document: unknown) => unknown,
): FuzzTarget {
  return {
    name,
    samples: samples.map((sample) => new TextEncoder().encode(JSON.stringify(sample))),
    read(bytes) {
      let document: unknown;
      try {
        document = JSON.parse(new TextDecoder().decode(bytes));
      } catch {
        return;
      }
      parse(document);
    },
  };
}
