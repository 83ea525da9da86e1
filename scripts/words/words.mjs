import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../packages/packages.mjs";

const DECLARED = /^export (?:declare )?(?:abstract )?(?:class|interface|type|enum) ([\w$]+)/gm;

/** The types that the sources of all packages export, tests aside: by name, the files that declare each. */
export function typesByName(files = sources()) {
  const found = new Map();
  for (const [file, text] of files) {
    for (const [, name] of text.matchAll(DECLARED)) found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

/** Types of TypeScript and of JavaScript whose names mean something already. */
const TAKEN = new Set([
  "Record",
  "Partial",
  "Pick",
  "Omit",
  "Exclude",
  "Extract",
  "Map",
  "Set",
  "Error",
  "Promise",
  "Proxy",
  "Symbol",
  "Event",
]);

/** Names that stand for two things. */
export const homonyms = (files) =>
  [...typesByName(files)].filter(([name, places]) => TAKEN.has(name) || new Set(places).size > 1);

function sources() {
  return readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name, "src");
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|(^|\/)testing\//.test(file.replaceAll("\\", "/")))
      .map((file) => [`${name}/${file.replaceAll("\\", "/")}`, readFileSync(join(folder, file), "utf8")]);
  });
}

/** The words of a name: `memoryDisk` has two, and so has `VIEW_SIZE`. */
export const wordsOf = (name) =>
  name
    .replaceAll("_", " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(" ");

/** The words that GLOSSARY explains, also those of terms of several words. */
export function glossary(text = readFileSync(join(root, "GLOSSARY.md"), "utf8")) {
  const terms = [...text.matchAll(/^\| \*\*([^|]+)\*\*/gm)].flatMap(([, term]) =>
    term.toLowerCase().match(/[a-z0-9]+/g),
  );
  const words = new Set(terms);
  return (word) => formsOf(word).some((form) => words.has(form));
}

/** A word, and what it may be a form of. */
const formsOf = (word) => [
  word,
  word.replace(/s$/, ""),
  word.replace(/ies$/, "y"),
  word.replace(/d$/, ""),
  word.replace(/(?:ed|ing)$/, ""),
];
