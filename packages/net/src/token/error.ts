/** Why a token was not taken. */
export type TokenFault =
  /** It is no token, or not whole. */
  | "malformed"
  /** Nobody who holds the key made it so: it was altered, made up, or made with another `reward.secret`. */
  | "forged"
  /** Another peer made it, and without a `reward.secret` this one cannot check it. */
  | "no-secret"
  /** More reports wait for other peers than are kept. */
  | "full";

/** A token was refused; nothing has changed. */
export class TokenError extends Error {
  override readonly name = "TokenError";

  constructor(
    readonly reason: TokenFault,
    message: string,
  ) {
    super(message);
  }
}
