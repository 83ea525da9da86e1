import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A statement that ends with its closing brace; every other one ends with a semicolon. */
const BLOCK = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|namespace|enum)\b/;
const DECLARED =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:class|interface|type|function|const|enum) ([\w$]+)/;
const TEXT_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
/** A member that is marked as internal, with its comment; declarations of members take one line unless they have a shape in them. */
const INTERNAL = /[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*?@internal(?:(?!\*\/)[\s\S])*?\*\/\s*[^\n]*\n/g;

const files = new Map();

/** What the compiler wrote of one file: its declarations by name, and where its other names come from. */
export function fileOf(path) {
  if (!files.has(path)) files.set(path, read(path));
  return files.get(path);
}

function read(path) {
  const file = { path, declared: new Map(), exports: new Map(), imports: new Map(), stars: [] };
  const at = (target) => (target.startsWith(".") ? join(dirname(path), target.replace(/\.(ts|js)$/, ".d.ts")) : target);
  for (const statement of statementsOf(readFileSync(path, "utf8"))) {
    const [, name] = DECLARED.exec(statement) ?? [];
    const from = /from "([^"]+)";$/.exec(statement)?.[1];
    if (name !== undefined) {
      // A function may have several signatures.
      file.declared.set(name, [...(file.declared.get(name) ?? []), shown(statement)]);
      if (statement.startsWith("export ")) file.exports.set(name, { name });
    } else if (/^export \* from/.test(statement)) file.stars.push(at(from));
    else if (/^(?:im|ex)port (?:type )?\* as/.test(statement)) {
      const [, kind, alias] = /^(im|ex)port (?:type )?\* as (\w+)/.exec(statement);
      file[kind === "im" ? "imports" : "exports"].set(alias, { name: "*", from: at(from) });
    } else {
      const [, kind, list] = /^(im|ex)port (?:type )?\{([^}]*)\}/.exec(statement) ?? [null, null, ""];
      for (const [, own, alias = own] of list.matchAll(/(?:type )?([\w$]+)(?: as ([\w$]+))?/g))
        if (kind === "im") file.imports.set(alias, { name: own, from: at(from) });
        else file.exports.set(alias, from === undefined ? { name: own } : { name: own, from: at(from) });
    }
  }
  return file;
}

/** The statements of a file, without comments. */
function statementsOf(text) {
  const code = text.replace(INTERNAL, "").replace(TEXT_OR_COMMENT, (found) => (/^["`]/.test(found) ? found : ""));
  const statements = [];
  let depth = 0;
  let from = 0;
  for (const { 0: mark, index } of code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[{}()[\];]/g)) {
    if ("{([".includes(mark)) depth++;
    else if ("})]".includes(mark)) depth--;
    const ends = mark === ";" || (mark === "}" && BLOCK.test(code.slice(from, index).trimStart()));
    if (depth > 0 || !ends) continue;
    statements.push(code.slice(from, index + 1).trim());
    from = index + 1;
  }
  return statements;
}

/** As it is written into a report: nothing private, two spaces deep, and without the words that every line has. */
const shown = (statement) =>
  statement
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^\s*(?:private |#private;|static private )/.test(line))
    .join("\n")
    .replace(/^(?:export )?(?:default )?(?:declare )?/, "")
    .replace(/^( {4})+/gm, (spaces) => " ".repeat(spaces.length / 2));
