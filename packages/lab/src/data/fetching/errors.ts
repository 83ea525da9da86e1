/** A download or an archive failed; nobody's input was wrong, and trying again may help. */
export class FetchError extends Error {
  override readonly name = "FetchError";
}
