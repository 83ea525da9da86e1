/** No line of a feed is longer; a stream that never ends its line must not fill the memory. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Cuts a stream of text into lines. */
export class Lines {
  #rest = "";

  /** The lines that end within `text`. */
  take(text: string): string[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > LONGEST_LINE) this.#rest = "";
    return lines.filter((line) => line.trim() !== "");
  }

  /** What came after the last end of a line. */
  end(): string[] {
    const rest = this.#rest;
    this.#rest = "";
    return rest.trim() === "" ? [] : [rest];
  }
}
