import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publicPackages } from "../packages/packages.mjs";
import { fileOf } from "./declarations.mjs";

const INTERNAL = "./internal";

/** The packages one can import from. */
export const packages = () => publicPackages().filter(({ manifest }) => entriesOf(manifest).length > 0);

const entriesOf = ({ exports = {} }) =>
  Object.entries(exports).filter(([entry, { types }]) => types !== undefined && entry !== INTERNAL);

/** Everything that the entries of a package export, `/internal` aside: each name once, and where it is declared. */
export function exportsOf({ path, manifest }) {
  const all = new Map();
  for (const [, { types }] of entriesOf(manifest)) {
    for (const [name, place] of namesOf(join(path, types))) if (!all.has(name)) all.set(name, place);
  }
  return all;
}

/** The names that one file exports, with the file that declares each. */
function namesOf(path) {
  const { exports, stars } = fileOf(path);
  const names = new Map();
  for (const [name, target] of exports) names.set(name, follow(path, target));
  for (const star of stars) for (const [name, place] of namesOf(star)) if (!names.has(name)) names.set(name, place);
  return names;
}

/** To where something is declared: through any number of files, up to the border of the package. */
function follow(path, { name, from = path }) {
  if (name === "*" || !from.endsWith(".d.ts")) return { name, from };
  const { declared, exports, imports, stars } = fileOf(from);
  if (declared.has(name)) return { name, from };
  const target = exports.get(name) ?? imports.get(name);
  if (target?.from !== undefined) return follow(from, target);
  if (target !== undefined && imports.has(target.name)) return follow(from, imports.get(target.name));
  const star = stars.find((one) => namesOf(one).has(name));
  if (star === undefined) throw new Error(`${from} does not declare ${name}`);
  return follow(from, { name, from: star });
}

/** The report of one package. */
export function reportOf(one) {
  const { manifest } = one;
  const exported = exportsOf(one);
  const lines = [
    `The public surface of ${manifest.name}, from the compiler's declarations.`,
    "`npm run api` writes this file; a test compares it. A change here is a change for users.",
  ];
  for (const [entry, { types }] of entriesOf(manifest)) {
    const names = [...namesOf(join(one.path, types)).keys()].sort();
    lines.push("", `== ${manifest.name}${entry.slice(1)}: ${names.length} names`, "", ...wrapped(names));
  }
  lines.push("", "== exported", "", ...texts(exported).flat());
  lines.push("", "== not exported, but part of the above", "", ...texts(reached(exported)).flat());
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

const keyOf = ({ name, from }) => `${from}#${name}`;

/** Each place as text, by name. */
function texts(places) {
  return [...places].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, place]) => [...textOf(name, place), ""]);
}

function textOf(name, { name: own, from }) {
  if (!from.endsWith(".d.ts")) return [`${name}: see ${from}`];
  if (own !== "*") return fileOf(from).declared.get(own);
  const members = [...namesOf(from).keys()].sort();
  return [`namespace ${name} {`, ...members.flatMap((member) => indented(member, from)), "}"];
}

const indented = (member, from) =>
  fileOf(from)
    .declared.get(member)
    .map((text) => text.replace(/^/gm, "  "));

/** What the declarations of `exported` name and this package declares without exporting it, and so on. */
function reached(exported) {
  const namespace = ({ from }) => [...namesOf(from).keys()].map((name) => keyOf({ name, from }));
  const known = new Set([...exported.values()].flatMap((it) => (it.name === "*" ? namespace(it) : keyOf(it))));
  const found = new Map();
  const queue = [...exported.values()].filter(({ from }) => from.endsWith(".d.ts"));
  while (queue.length > 0) {
    const { name, from } = queue.shift();
    const file = fileOf(from);
    const text = name === "*" ? [...file.declared.values()].flat().join("\n") : file.declared.get(name).join("\n");
    for (const [word] of text.matchAll(/(?<![.\w$])[A-Za-z_$][\w$]*/g)) {
      const place = file.declared.has(word) ? { name: word, from } : file.imports.has(word) ? within(from, word) : null;
      // A class that is not exported is nobody's to make: its name is enough.
      if (place === null || known.has(keyOf(place)) || isClass(place)) continue;
      known.add(keyOf(place));
      found.set(found.has(word) ? `${word} (${found.size})` : word, place);
      queue.push(place);
    }
  }
  return found;
}

const isClass = ({ name, from }) => /^(?:abstract )?class /.test(fileOf(from).declared.get(name)[0]);

function within(from, word) {
  const place = follow(from, fileOf(from).imports.get(word));
  return place.from.endsWith(".d.ts") && place.name !== "*" ? place : null;
}

function wrapped(names) {
  const lines = [""];
  for (const name of names) {
    if (lines.at(-1).length + name.length > 118) lines.push("");
    lines[lines.length - 1] += `${lines.at(-1) === "" ? "" : ", "}${name}`;
  }
  return lines;
}

/** The report as it is checked in; empty where there is none yet. */
export function checkedIn({ path }) {
  try {
    return readFileSync(join(path, "api.txt"), "utf8");
  } catch {
    return "";
  }
}
