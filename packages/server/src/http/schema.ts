/** JSON Schema as far as the documents here need it (OpenAPI 3.1 takes it as it is). */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
}

/** An object of which all fields are there, and no others. */
export function object(properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

const typed = (schema: JsonSchema, description: string | undefined): JsonSchema =>
  description === undefined ? schema : { ...schema, description };

export const list = (items: JsonSchema, description?: string): JsonSchema =>
  typed({ type: "array", items }, description);
export const text = (description?: string): JsonSchema => typed({ type: "string" }, description);
export const real = (description?: string): JsonSchema => typed({ type: "number" }, description);
export const whole = (description?: string): JsonSchema => typed({ type: "integer", minimum: 0 }, description);
export const counts = (description: string): JsonSchema => ({
  type: "object",
  description,
  additionalProperties: { type: "integer", minimum: 0 },
});
export const numbers = (description: string): JsonSchema => ({
  type: "object",
  description,
  additionalProperties: { type: "number" },
});
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
