import { ConfigError } from "@coterie/core";
import { StoreError, TokenError } from "@coterie/net";

export type Status = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 421 | 431 | 500 | 503;

/** What is said to a caller instead of an answer: a status and one sentence. */
export class Problem extends Error {
  override readonly name = "Problem";
  constructor(
    readonly status: Status,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The body of every answer that is none. */
export interface ProblemBody {
  readonly error: string;
}

/** Whose fault it was: the caller's (400), the disk's (503), or ours (500, without the details). */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ConfigError) {
    if (error.field === "peer") return new Problem(503, "the peer is closed", { connection: "close" });
    return new Problem(400, error.message);
  }
  if (error instanceof TokenError) return new Problem(error.reason === "full" ? 503 : 400, error.message);
  if (error instanceof StoreError) return new Problem(503, error.message);
  return new Problem(500, "internal error; see the log");
}
