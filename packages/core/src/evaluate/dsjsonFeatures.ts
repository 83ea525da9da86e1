import { ConfigError } from "../errors.ts";
import { type Fields, fields, list, real, text } from "../options.ts";
import type { LoggedItem } from "./entry.ts";

/** What VW adds to every example, and a linear model cannot do without. */
const CONSTANT = "constant";

/**
 * The actions of a context (`c`) by VW's rules: what stands outside `_multi` is shared by all of them; objects and lists are
 * namespaces; a number is its feature's value, a text one that is there (`name=text`), true 1, false nothing; other names
 * that begin with `_` are not features.
 */
export function featuresOf(context: Fields): LoggedItem[] {
  const shared = new Map<string, number>([[CONSTANT, 1]]);
  collect(shared, "c", "", context);
  const actions = list("c._multi", context._multi);
  if (actions.length === 0) throw new ConfigError("c._multi", actions, "hold at least one action");
  return actions.map((action, k) => {
    const field = `c._multi[${k}]`;
    const given = fields(field, action, Object.keys((action ?? {}) as object));
    const x = new Map(shared);
    collect(x, field, "", given);
    const name = given._tag === undefined ? {} : { name: text(`${field}._tag`, given._tag) };
    return { ...name, x: Object.fromEntries(x) };
  });
}

function collect(out: Map<string, number>, field: string, prefix: string, value: object): void {
  for (const [name, part] of Object.entries(value)) {
    if (name.startsWith("_")) continue;
    add(out, `${field}.${name}`, prefix === "" ? name : `${prefix}.${name}`, part);
  }
}

function add(out: Map<string, number>, field: string, name: string, value: unknown): void {
  if (typeof value === "string") out.set(`${name}=${value}`, 1);
  else if (typeof value === "boolean") value && out.set(name, 1);
  else if (typeof value === "number") real(field, value) !== 0 && out.set(name, value);
  else if (Array.isArray(value)) addList(out, field, name, value);
  else if (typeof value === "object" && value !== null) collect(out, field, name, value);
  else if (value !== null)
    throw new ConfigError(field, value, "be a text, a number, true or false, a list or an object");
}

/** Numbers by their place; objects are all of the namespace that the list is. */
function addList(out: Map<string, number>, field: string, name: string, values: readonly unknown[]): void {
  for (const [k, value] of values.entries()) {
    if (typeof value === "number") add(out, `${field}[${k}]`, `${name}[${k}]`, value);
    else add(out, `${field}[${k}]`, name, value);
  }
}
