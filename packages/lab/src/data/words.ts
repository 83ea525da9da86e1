/** The words of a tag or a genre: split at space, underscore and hyphen, in lower case; nothing else is changed. */
export function wordsOf(tag: string): string[] {
  return tag
    .toLowerCase()
    .split(/[ _-]/)
    .filter((word) => word !== "");
}
