import type { OpenApi } from "../http/openApi.ts";
import type { JsonSchema } from "../http/schema.ts";

/** What is wrong with a value by a schema of the document: one line for each place, none where it fits. */
export function misfits(document: OpenApi, schema: JsonSchema, value: unknown, at = "$"): string[] {
  if (schema.$ref !== undefined) {
    const found = document.components.schemas[schema.$ref.replace("#/components/schemas/", "")];
    return found === undefined ? [`${schema.$ref} is not there`] : misfits(document, found, value, at);
  }
  if (schema.anyOf !== undefined) {
    const all = schema.anyOf.map((one) => misfits(document, one, value, at));
    return all.some((found) => found.length === 0) ? [] : all.flat();
  }
  const types = [schema.type ?? []].flat();
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type) && !(type === "integer" && types.includes("number"))) {
    return [`${at} is ${type}, not ${types.join(" or ")}`];
  }
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) return [`${at} is ${value}`];
  if (typeof value === "number") return outside(schema, value, at);
  if (Array.isArray(value)) {
    const wrong = value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY);
    const items = schema.items;
    const inside = items === undefined ? [] : value.flatMap((one, k) => misfits(document, items, one, `${at}[${k}]`));
    return wrong ? [`${at} has ${value.length} items`, ...inside] : inside;
  }
  return typeof value === "object" && value !== null ? fieldsOf(document, schema, value, at) : [];
}

function fieldsOf(document: OpenApi, schema: JsonSchema, value: object, at: string): string[] {
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`);
  const found = Object.entries(value).flatMap(([name, field]) => {
    const known = schema.properties?.[name] ?? schema.additionalProperties;
    if (known === false) return [`${at}.${name} is not known`];
    return typeof known === "object" ? misfits(document, known, field, `${at}.${name}`) : [];
  });
  return [...missing, ...found];
}

function outside({ minimum = -Infinity, maximum = Infinity }: JsonSchema, value: number, at: string): string[] {
  return value < minimum || value > maximum ? [`${at} is ${value}`] : [];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
