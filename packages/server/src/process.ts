import { ConfigError } from "@coterie/core";

/** A hub or a peer that runs until it is told to stop. */
export interface Running {
  /** What is worth knowing once it is up: plain data, one line of JSON. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** The same, for people. */
  readonly sentence: string;
  /** Stops within two seconds; whatever was acknowledged is on the disk. */
  close(): Promise<void>;
}

/** For HTTP requests under way. With what libp2p takes to stop this stays below two seconds. */
export const GRACE_MS = 250;

/** libp2p has no error of its own for an address that is taken; what it says has its stack in it. */
export function explainListen(listen: readonly string[] | undefined, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ConfigError) return error;
  if (!/listen|EADDR|EACCES/i.test(`${error.name} ${error.message}`)) return error;
  const why = /\bE[A-Z]{4,}: [^\n]*/.exec(error.message)?.[0] ?? error.message;
  return new ConfigError("--listen", (listen ?? []).join(", "), `be addresses that are free here (${why})`);
}
