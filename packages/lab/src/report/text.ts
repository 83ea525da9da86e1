/** Text that others wrote (names of worlds and policies), made safe for where it goes. */

/** Control characters, lone surrogates and marks that turn the direction of what follows. */
const UNSAFE = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu;

/** One line without anything that moves a cursor, hides text or may not stand in XML. */
export const plain = (text: string): string => text.replace(UNSAFE, "\uFFFD");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For element content and attribute values, in HTML and XML alike. */
export const escaped = (text: string): string => plain(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** As `escaped`, for text of several lines. */
export const escapedLines = (text: string): string => text.split("\n").map(escaped).join("\n");

/** A name for a file or an id: lower case letters, digits and hyphens. */
export function slug(text: string): string {
  const kept = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return kept === "" ? "figure" : kept;
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** "Like this." from "like this". */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A name within a sentence: in quotes where it would else run into the words around it. */
export const named = (name: string): string => (/^[\p{L}\p{N}_.-]+$/u.test(name) ? name : `“${name}”`);
